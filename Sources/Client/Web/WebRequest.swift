import Foundation

/// The head of a request of a browser (RFC 9112), as far as the page needs it.
struct WebRequest: Equatable {
  /// The maximum size of a head in bytes.
  static let maxSize = 8_192

  let method: String
  let path: String
  /// The values by their names in lower case. Of a repeated field, the values are joined by commas.
  let fields: [String: String]

  enum Reading: Equatable {
    case incomplete
    case broken
    /// The first `length` bytes are the head.
    case complete(WebRequest, length: Int)
  }

  /// Reads the head at the beginning of the bytes of a connection.
  static func read(_ bytes: [UInt8]) -> Reading {
    let end = Array("\r\n\r\n".utf8)
    let limit = min(bytes.count, maxSize)
    guard let start = bytes[..<limit].firstRange(of: end)?.lowerBound else {
      return bytes.count < maxSize ? .incomplete : .broken
    }
    let head = bytes[..<start]
    guard head.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || [9, 10, 13].contains($0) }) else {
      return .broken
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0",
      words[1].hasPrefix("/")
    else { return .broken }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        !line.contains("\n"), !line.contains("\r"),
        line[..<colon].allSatisfy({ !$0.isWhitespace })
      else { return .broken }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }
    let path = words[1].prefix { $0 != "?" && $0 != "#" }
    let request = WebRequest(method: String(words[0]), path: String(path), fields: fields)
    return .complete(request, length: start + end.count)
  }

  /// The key of a WebSocket handshake that a page of this same host has begun; `nil` for anything
  /// else.
  var webSocketKey: String? {
    guard method == "GET", fields["upgrade"]?.lowercased() == "websocket",
      fields["connection"]?.lowercased().contains("upgrade") == true,
      fields["sec-websocket-version"] == "13", let key = fields["sec-websocket-key"],
      Data(base64Encoded: key)?.count == 16, isFromSameOrigin
    else { return nil }
    return key
  }

  /// Whether the page that sends the request comes from the host that it goes to.
  private var isFromSameOrigin: Bool {
    guard let host = fields["host"], !host.isEmpty, let origin = fields["origin"] else {
      return false
    }
    return ["http://\(host)", "https://\(host)"].contains(origin)
  }
}
