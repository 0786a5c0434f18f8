/// Recognises a client of another protocol by the first bytes that it sends.
struct ProtocolDetector {
  private enum State {
    /// Nothing has come.
    case start
    /// One byte has come, with which TLS begins.
    case halfOfTLS
    /// It is not TLS; the first line is still to come.
    case firstLine
    case done
  }

  private var state = State.start

  /// Whether a line has come, which was not another protocol's.
  var isDone: Bool {
    if case .done = state { true } else { false }
  }

  /// Whether what came first is a TLS handshake (RFC 8446, section 5.1). To be called with each chunk
  /// until the first line is complete.
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

  /// Whether the first line is that of an HTTP request (RFC 9112, section 3): a method in capitals,
  /// perhaps with hyphens, a target, and the protocol's name.
  mutating func detectsHTTP(_ line: Span<UInt8>) -> Bool {
    state = .done
    return Self.isHTTP(line)
  }

  private static func isHTTP(_ line: Span<UInt8>) -> Bool {
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
