import Shared

/// The header at the start of a connection from a proxy: the PROXY protocol, versions 1 and 2
/// (haproxy.org, proxy-protocol.txt).
enum ProxyHeader: Equatable {
  /// The bytes may be the beginning of a header.
  case incomplete
  case broken
  /// The first `length` bytes are the header. Without a source, the proxy connects on its own
  /// behalf, or for a client whose address it does not know.
  case complete(source: SocketAddress?, length: Int)

  private static let firstWord = Array("PROXY ".utf8)
  private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
  /// The maximum length of a line of version 1, including CRLF.
  private static let maxLine = 107

  /// Parses all bytes since the beginning of the connection.
  init(_ bytes: [UInt8]) {
    if Self.isPrefix(bytes, of: Self.firstWord) {
      self = Self.line(bytes)
    } else if Self.isPrefix(bytes, of: Self.signature) {
      self = Self.binary(bytes)
    } else {
      self = .broken
    }
  }

  /// Returns whether the bytes begin with the expected bytes, or are the beginning of them.
  private static func isPrefix(_ bytes: [UInt8], of expected: [UInt8]) -> Bool {
    zip(bytes, expected).allSatisfy { $0 == $1 }
  }

  /// Version 1.
  private static func line(_ bytes: [UInt8]) -> ProxyHeader {
    guard let end = bytes.prefix(maxLine).firstIndex(of: UInt8(ascii: "\n")) else {
      return bytes.count < maxLine ? .incomplete : .broken
    }
    guard bytes[end - 1] == UInt8(ascii: "\r") else { return .broken }
    let words = bytes[firstWord.count..<end - 1]
      .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if words.first == "UNKNOWN" { return .complete(source: nil, length: end + 1) }
    guard words.count == 5, let source = address(words[0], words[1]),
      address(words[0], words[2]) != nil, let port = portNumber(words[3]),
      portNumber(words[4]) != nil
    else { return .broken }
    return .complete(source: SocketAddress(source, port: port), length: end + 1)
  }

  private static func address(_ family: String, _ text: String) -> IPAddress? {
    switch family {
    case "TCP4": IPAddress(ipv4: text)
    case "TCP6": IPAddress(ipv6: text)
    default: nil
    }
  }

  private static func portNumber(_ text: String) -> UInt16? {
    guard let port = UInt16(text), String(port) == text else { return nil }
    return port
  }

  /// Version 2.
  private static func binary(_ bytes: [UInt8]) -> ProxyHeader {
    guard bytes.count >= 16 else { return .incomplete }
    let length = 16 + (Int(bytes[14]) << 8 | Int(bytes[15]))
    // The first byte is the version and the command, the second one the address family and the
    // transport protocol.
    let size: Int
    switch (bytes[12], bytes[13]) {
    case (0x21, 0x11): size = 4
    case (0x21, 0x21): size = 16
    case (0x20, _), (0x21, 0x00), (0x21, 0x12), (0x21, 0x22), (0x21, 0x31), (0x21, 0x32): size = 0
    default: return .broken
    }
    // The addresses of source and destination are followed by their ports. The rest is skipped.
    guard length >= 16 + 2 * size + (size > 0 ? 4 : 0) else { return .broken }
    guard bytes.count >= length else { return .incomplete }
    let port = bytes[(16 + 2 * size)...].prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
    let source = IPAddress(bytes[16..<16 + size]).map { SocketAddress($0, port: port) }
    return .complete(source: source, length: length)
  }
}
