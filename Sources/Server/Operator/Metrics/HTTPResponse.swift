import Foundation

/// The statuses that this server sends.
enum HTTPStatus: Int, Error {
  case ok = 200
  case badRequest = 400
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case headTooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  var reason: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .headTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// A response whose body is a text.
struct HTTPResponse: Equatable {
  let status: HTTPStatus
  let body: String
  var contentType = "text/plain; charset=utf-8"

  /// The body is one sentence.
  init(_ status: HTTPStatus, sentence: String) {
    self.status = status
    body = sentence + "\n"
  }

  init(_ text: String, contentType: String) {
    status = .ok
    body = text
    self.contentType = contentType
  }

  /// The answer to a request that cannot be read.
  init(_ status: HTTPStatus) {
    self.init(status, sentence: "\(status.rawValue) \(status.reason)")
  }

  /// Returns the head, and the body unless the request was for the head only.
  func bytes(at time: Date, keepsConnection: Bool, onlyHead: Bool) -> [UInt8] {
    var head = """
      HTTP/1.1 \(status.rawValue) \(status.reason)\r
      Date: \(time.formatted(Self.dateFormat))\r
      Content-Type: \(contentType)\r
      Content-Length: \(body.utf8.count)\r
      Cache-Control: no-store\r
      Connection: \(keepsConnection ? "keep-alive" : "close")\r

      """
    if status == .methodNotAllowed { head += "Allow: GET, HEAD\r\n" }
    return Array("\(head)\r\n\(onlyHead ? "" : body)".utf8)
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  private static let dateFormat = Date.VerbatimFormatStyle(
    format: """
      \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
      \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
      \(minute: .twoDigits):\(second: .twoDigits) GMT
      """,
    locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
    calendar: Calendar(identifier: .gregorian))
}
