/// Recognizes a client of another protocol, TLS or HTTP, by its first bytes.
struct ProtocolDetector {
  private enum State {
    /// Nothing has arrived.
    case start
    /// One byte has arrived, the first of a TLS handshake.
    case halfOfTLS
    /// It is not TLS. The first line is incomplete.
    case firstLine
    case done
  }

  private var state = State.start

  /// Whether the first line has arrived, so that there is nothing left to detect.
  var isDone: Bool {
    if case .done = state { true } else { false }
  }

  /// Returns whether the first bytes are a TLS handshake (RFC 8446, section 5.1). Call it with each
  /// chunk until the first line is complete.
  mutating func detectsTLS(_ chunk: Span<UInt8>) -> Bool {
    guard !chunk.isEmpty else { return false }
    switch state {
    case .start:
      if chunk[0] == 0x16, chunk.count == 1 {
        state = .halfOfTLS
        return false
      }
      state = .firstLine
      return chunk[0] == 0x16 && chunk[1] == 0x03
    case .halfOfTLS:
      state = .firstLine
      return chunk[0] == 0x03
    case .firstLine, .done: return false
    }
  }

  /// Returns whether the first line is that of an HTTP request (RFC 9112, section 3): a method in
  /// capitals, perhaps with hyphens, a target, and the protocol's name.
  mutating func detectsHTTP(_ line: Span<UInt8>) -> Bool {
    state = .done
    return Self.isHTTP(line)
  }

  private static func isHTTP(_ line: Span<UInt8>) -> Bool {
    // The first line of a client of this protocol nearly always begins with a brace or a lower-case
    // letter.
    guard !line.isEmpty, isMethodByte(line[0]) || line[0] == UInt8(ascii: " ") else { return false }
    let words = line.withUnsafeBufferPointer { bytes in
      bytes.split(separator: UInt8(ascii: " ")).map(Array.init)
    }
    guard words.count == 3, let method = words.first, let version = words.last else { return false }
    return version.starts(with: "HTTP/".utf8) && method.allSatisfy(isMethodByte)
  }

  private static func isMethodByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
  }
}
