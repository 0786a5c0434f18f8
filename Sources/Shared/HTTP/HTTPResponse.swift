import Foundation

/// The statuses that the servers here send.
package enum HTTPStatus: Int, Error {
  case ok = 200
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case misdirected = 421
  case headTooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  package var reason: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// A response, which is sent as a whole.
package struct HTTPResponse: Equatable {
  package let status: HTTPStatus
  package let contentType: String
  package let body: [UInt8]
  /// Further lines of the head.
  private let fields: [String]

  package init(
    _ status: HTTPStatus = .ok, body: [UInt8], contentType: String, fields: [String] = []
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.fields = fields
  }

  /// The body is one sentence.
  package init(_ status: HTTPStatus, sentence: String) {
    self.init(status, body: Array("\(sentence)\n".utf8), contentType: "text/plain; charset=utf-8")
  }

  package init(_ text: String, contentType: String) {
    self.init(body: Array(text.utf8), contentType: contentType)
  }

  /// The answer to a request that cannot be read.
  package init(_ status: HTTPStatus) {
    self.init(status, sentence: "\(status.rawValue) \(status.reason)")
  }

  /// Returns the head, and the body unless the request was for the head only. `time` is in seconds
  /// since 1970.
  package func bytes(
    at time: Double = Date().timeIntervalSince1970, keepsConnection: Bool, onlyHead: Bool
  ) -> [UInt8] {
    let date = Date(timeIntervalSince1970: time)
    var lines = [
      "HTTP/1.1 \(status.rawValue) \(status.reason)",
      "Date: \(date.formatted(Self.dateFormat))",
      "Content-Type: \(contentType)", "Content-Length: \(body.count)", "Cache-Control: no-store",
      "Connection: \(keepsConnection ? "keep-alive" : "close")",
    ]
    if status == .methodNotAllowed { lines.append("Allow: GET, HEAD") }
    lines += fields + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + (onlyHead ? [] : body)
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
