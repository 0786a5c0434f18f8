/// Tells by its first bytes a client that came to the wrong port.
enum ForeignProtocol {
  /// Whether bytes begin as a TLS handshake does (RFC 8446, section 5.1).
  static func beginsTLS(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x16 && bytes[1] == 0x03
  }

  /// Whether a first line is that of an HTTP request (RFC 9112, section 3): a method in capitals,
  /// perhaps with hyphens, a target, and the protocol's name.
  static func isHTTP(_ line: Span<UInt8>) -> Bool {
    let words = line.withUnsafeBufferPointer { bytes in
      bytes.split(separator: UInt8(ascii: " ")).map(Array.init)
    }
    guard words.count == 3, let method = words.first, let version = words.last else { return false }
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return version.starts(with: "HTTP/".utf8)
      && method.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
  }
}
