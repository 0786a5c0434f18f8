import Foundation

/// The head of an HTTP request (RFC 9112). A body is never read.
package struct HTTPRequest: Equatable {
  package let method: String
  /// Without the query.
  package let path: String
  /// The values by their names in lower case. Those of a repeated field are joined by `, `.
  package private(set) var fields: [String: String] = [:]
  /// Whether the client may send another request on the connection.
  package private(set) var keepsConnection: Bool
  private let needsHost: Bool
  private var hosts = 0
  private var isLast = false

  /// Parses the first line of a request.
  ///
  /// - Throws: the status of the answer to a bad one.
  package init(line: String) throws(HTTPStatus) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]), let path = Self.path(words[1]),
      let version = Self.version(words[2])
    else { throw .badRequest }
    guard version.major == 1 else { throw .versionNotSupported }
    method = String(words[0])
    self.path = path
    needsHost = version.minor > 0
    keepsConnection = version.minor > 0
  }

  /// Takes the path out of `/path?query`, or of `http://host/path?query`, as a proxy sends it.
  private static func path(_ target: Substring) -> String? {
    let target = target.prefix { $0 != "?" && $0 != "#" }
    if target.hasPrefix("/") || target == "*" { return String(target) }
    guard let scheme = target.firstRange(of: "://"), scheme.lowerBound > target.startIndex else {
      return nil
    }
    let rest = target[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  private static func version(_ text: Substring) -> (major: Int, minor: Int)? {
    let text = Array(text.utf8)
    guard text.count == 8, text.starts(with: "HTTP/".utf8), text[6] == UInt8(ascii: "."),
      let major = text[5].digit, let minor = text[7].digit
    else { return nil }
    return (major, minor)
  }

  /// Takes a field of the head.
  ///
  /// - Throws: the status of the answer to a bad one.
  package mutating func addField(_ line: String) throws(HTTPStatus) {
    guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
      throw .badRequest
    }
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    let name = line[..<colon].lowercased()
    fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    switch name {
    case "host": hosts += 1
    // A body is not read, so no request can follow it.
    case "transfer-encoding": isLast = true
    case "content-length":
      guard !value.isEmpty, value.utf8.allSatisfy({ $0.digit != nil }) else { throw .badRequest }
      if value.contains(where: { $0 != "0" }) { isLast = true }
    case "connection":
      let options = value.lowercased().split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if options.contains("close") { isLast = true }
      if options.contains("keep-alive") { keepsConnection = true }
    default: break
    }
  }

  /// Returns the request when its head is complete.
  ///
  /// - Throws: `badRequest` without the one `Host` that HTTP/1.1 asks for.
  package func complete() throws(HTTPStatus) -> HTTPRequest {
    guard hosts == 1 || hosts == 0 && !needsHost else { throw .badRequest }
    var request = self
    request.keepsConnection = keepsConnection && !isLast
    return request
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

/// Reads requests from the bytes of a connection, each line once.
package struct HTTPRequestReader {
  /// The maximum size of a head in bytes, and the maximum number of its lines.
  package static let maxSize = 8_192
  package static let maxLines = 100

  private var bytes: [UInt8] = []
  private var request: HTTPRequest?
  /// The length of the lines of this request that were parsed, and their number.
  private var parsed = 0
  private var lines = 0
  /// There is no end of a line before this index.
  private var searched = 0

  package init() {}

  /// Whether no byte of a further request has arrived.
  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func append(_ more: Span<UInt8>) {
    more.withUnsafeBufferPointer { bytes += $0 }
  }

  /// Returns the bytes after the last request, and forgets them: from there on the connection
  /// speaks another protocol.
  package mutating func takeRest() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Returns the next request; `nil` if its head is incomplete.
  ///
  /// - Throws: the status of the answer to a bad request, after which no other can be read.
  package mutating func next() throws(HTTPStatus) -> HTTPRequest? {
    while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      guard end < Self.maxSize, lines < Self.maxLines else { throw .headTooLarge }
      // A line may also end without CR (RFC 9112, section 2.2).
      let hasReturn = end > parsed && bytes[end - 1] == UInt8(ascii: "\r")
      let line = bytes[parsed..<(hasReturn ? end - 1 : end)]
      (parsed, searched, lines) = (end + 1, end + 1, lines + 1)
      if let complete = try add(line) {
        bytes.removeFirst(parsed)
        (request, parsed, searched, lines) = (nil, 0, 0, 0)
        return complete
      }
    }
    searched = bytes.count
    guard bytes.count < Self.maxSize else { throw .headTooLarge }
    return nil
  }

  /// Adds a line to the head. Returns the request if that was its end.
  private mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPStatus) -> HTTPRequest? {
    // An empty line before a request is ignored (the same section).
    guard !line.isEmpty else { return try request?.complete() }
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw .badRequest
    }
    let text = String(decoding: line, as: UTF8.self)
    if request == nil {
      request = try HTTPRequest(line: text)
    } else {
      try request?.addField(text)
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var digit: Int? { (0x30...0x39).contains(self) ? Int(self) - 0x30 : nil }
}
