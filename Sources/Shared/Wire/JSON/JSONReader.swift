/// The error for a line that is not UTF-8, breaks RFC 8259, is nested too deeply, or has the same
/// key twice in an object.
struct JSONError: Error {}

/// Parses a line of JSON into a flat array of nodes, as strictly as the protocol requires. One
/// reader serves line after line: once its buffers have grown, it allocates nothing.
struct JSONReader {
  /// Bytes after the line, so that 8 bytes can be loaded from anywhere in it.
  private static let padding = 8

  /// The line with its strings unescaped in place, then `padding`, then leftovers of longer lines.
  private(set) var bytes: [UInt8] = []
  /// The first node is the object of the line.
  private(set) var nodes: [JSONNode] = []
  private var position = 0

  /// Copies the bytes of a line, without parsing them.
  mutating func load(_ line: Span<UInt8>) {
    if bytes.count < line.count + Self.padding {
      bytes = Array(repeating: 0, count: 2 * line.count + Self.padding)
    }
    bytes.withUnsafeMutableBytes { bytes in line.withUnsafeBytes { bytes.copyMemory(from: $0) } }
  }

  /// Parses the loaded line, which must be exactly one object.
  ///
  /// - Throws: if it is not, or breaks one of the protocol's rules for JSON.
  mutating func readObject(_ line: Span<UInt8>) throws(JSONError) {
    nodes.removeAll(keepingCapacity: true)
    position = 0
    skipSpace(line)
    guard take(UInt8(ascii: "{"), line) else { throw JSONError() }
    try readMembers(line, depth: 1)
    skipSpace(line)
    guard position == line.count else { throw JSONError() }
  }

  func text(_ range: Range<Int>) -> JSONText {
    let head = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
    }
    return JSONText(
      start: Int32(truncatingIfNeeded: range.lowerBound),
      count: Int32(truncatingIfNeeded: range.count),
      head: range.count < 8 ? head & (1 << UInt64(8 * range.count) - 1) : head)
  }

  private mutating func readValue(_ line: Span<UInt8>, depth: Int) throws(JSONError) {
    guard position < line.count else { throw JSONError() }
    switch line[position] {
    case UInt8(ascii: "\""):
      try readString(line)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let number = JSONNumber.read(line, at: &position) else { throw JSONError() }
      nodes.append(number)
    case UInt8(ascii: "{"):
      position += 1
      try readMembers(line, depth: depth)
    case UInt8(ascii: "["):
      position += 1
      try readElements(line, depth: depth)
    case UInt8(ascii: "t"):
      try readLiteral("true", .bool(true), line)
    case UInt8(ascii: "f"):
      try readLiteral("false", .bool(false), line)
    case UInt8(ascii: "n"):
      try readLiteral("null", .null, line)
    default:
      throw JSONError()
    }
  }

  /// Reads an object, after its `{`.
  private mutating func readMembers(_ line: Span<UInt8>, depth: Int) throws(JSONError) {
    guard depth <= ProtocolLimits.maxDepth else { throw JSONError() }
    let object = nodes.count
    nodes.append(.object(end: 0))
    skipSpace(line)
    if !take(UInt8(ascii: "}"), line) {
      repeat {
        skipSpace(line)
        try readString(line)
        skipSpace(line)
        guard take(UInt8(ascii: ":"), line) else { throw JSONError() }
        skipSpace(line)
        try readValue(line, depth: depth + 1)
        skipSpace(line)
      } while take(UInt8(ascii: ","), line)
      guard take(UInt8(ascii: "}"), line) else { throw JSONError() }
    }
    nodes[object] = .object(end: nodes.count)
    guard !hasRepeatedKey(object) else { throw JSONError() }
  }

  /// Reads an array, after its `[`.
  private mutating func readElements(_ line: Span<UInt8>, depth: Int) throws(JSONError) {
    guard depth <= ProtocolLimits.maxDepth else { throw JSONError() }
    let array = nodes.count
    nodes.append(.array(end: 0))
    skipSpace(line)
    if !take(UInt8(ascii: "]"), line) {
      repeat {
        skipSpace(line)
        try readValue(line, depth: depth + 1)
        skipSpace(line)
      } while take(UInt8(ascii: ","), line)
      guard take(UInt8(ascii: "]"), line) else { throw JSONError() }
    }
    nodes[array] = .array(end: nodes.count)
  }

  private mutating func readString(_ line: Span<UInt8>) throws(JSONError) {
    let range = try JSONString.read(line, at: &position, unescapingTo: &bytes)
    nodes.append(.string(text(range)))
  }

  private mutating func readLiteral(
    _ word: StaticString, _ node: JSONNode, _ line: Span<UInt8>
  ) throws(JSONError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard take(word.utf8Start[offset], line) else { throw JSONError() }
    }
    nodes.append(node)
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8, _ line: Span<UInt8>) -> Bool {
    guard position < line.count, line[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace(_ line: Span<UInt8>) {
    while position < line.count, line[position] <= 0x20 {
      switch line[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        position += 1
      default:
        return
      }
    }
  }
}
