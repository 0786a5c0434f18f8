/// Tells by its first bytes a client that came to the wrong port.
enum ForeignProtocol {
  /// Whether bytes begin as a TLS handshake does (RFC 8446, section 5.1).
  static func beginsTLS(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && isFirstOfTLS(bytes[0]) && isSecondOfTLS(bytes[1])
  }

  static func isFirstOfTLS(_ byte: UInt8) -> Bool { byte == 0x16 }

  static func isSecondOfTLS(_ byte: UInt8) -> Bool { byte == 0x03 }

  /// Whether a first line is that of an HTTP request (RFC 9112, section 3): a method in capitals,
  /// perhaps with hyphens, a target, and the protocol's name.
  static func isHTTP(_ line: Span<UInt8>) -> Bool {
    // A client's first line is nearly always in braces or in small letters.
    guard !line.isEmpty, isOfMethod(line[0]) || line[0] == UInt8(ascii: " ") else { return false }
    let words = line.withUnsafeBufferPointer { bytes in
      bytes.split(separator: UInt8(ascii: " ")).map(Array.init)
    }
    guard words.count == 3, let method = words.first, let version = words.last else { return false }
    return version.starts(with: "HTTP/".utf8) && method.allSatisfy(isOfMethod)
  }

  private static func isOfMethod(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
  }
}
