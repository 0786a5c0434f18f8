/// Reads a line of JSON into a row of nodes, as strictly as the protocol wants it. One reader serves
/// line after line: once its scratch has grown, it allocates nothing.
struct JSONReader {
  /// Most levels of objects and arrays, the object of the line included.
  static let deepest = 16
  /// Bytes behind the line, so that 8 bytes can be loaded from anywhere in it. They are 0, with
  /// which nothing in JSON can go on.
  private static let padding = 8

  /// The line, its strings unescaped in place, and behind it `padding`.
  private(set) var bytes: [UInt8] = []
  /// What belongs to the line.
  private(set) var end = 0
  /// The object of the line is the first.
  private(set) var nodes: [JSONNode] = []
  private var position = 0

  /// Takes over a line, without looking at it.
  mutating func load(_ line: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(line)
    end = line.count
    bytes.append(contentsOf: repeatElement(0, count: Self.padding))
  }

  /// Reads the line that was loaded, which must be one object and nothing else.
  mutating func readObject() throws(BadJSON) {
    nodes.removeAll(keepingCapacity: true)
    position = 0
    skipSpace()
    guard take(UInt8(ascii: "{")) else { throw BadJSON() }
    try readMembers(depth: 1)
    skipSpace()
    guard position == end else { throw BadJSON() }
  }

  private mutating func readValue(depth: Int) throws(BadJSON) {
    switch bytes[position] {
    case UInt8(ascii: "\""):
      try readString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let number = JSONNumber.read(bytes, at: &position) else { throw BadJSON() }
      nodes.append(number)
    case UInt8(ascii: "{"):
      position += 1
      try readMembers(depth: depth)
    case UInt8(ascii: "["):
      position += 1
      try readElements(depth: depth)
    case UInt8(ascii: "t"):
      try readLiteral("true", .bool(true))
    case UInt8(ascii: "f"):
      try readLiteral("false", .bool(false))
    case UInt8(ascii: "n"):
      try readLiteral("null", .null)
    default:
      throw BadJSON()
    }
  }

  /// Reads an object from behind its `{`.
  private mutating func readMembers(depth: Int) throws(BadJSON) {
    guard depth <= Self.deepest else { throw BadJSON() }
    let object = nodes.count
    nodes.append(.object(end: 0))
    skipSpace()
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        try readString()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw BadJSON() }
        skipSpace()
        try readValue(depth: depth + 1)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw BadJSON() }
    }
    nodes[object] = .object(end: nodes.count)
    guard !hasRepeatedKey(object) else { throw BadJSON() }
  }

  /// Reads an array from behind its `[`.
  private mutating func readElements(depth: Int) throws(BadJSON) {
    guard depth <= Self.deepest else { throw BadJSON() }
    let array = nodes.count
    nodes.append(.array(end: 0))
    skipSpace()
    if !take(UInt8(ascii: "]")) {
      repeat {
        skipSpace()
        try readValue(depth: depth + 1)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw BadJSON() }
    }
    nodes[array] = .array(end: nodes.count)
  }

  private mutating func readString() throws(BadJSON) {
    nodes.append(.string(try JSONString.read(&bytes, at: &position)))
  }

  private mutating func readLiteral(_ word: StaticString, _ node: JSONNode) throws(BadJSON) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard take(word.utf8Start[offset]) else { throw BadJSON() }
    }
    nodes.append(node)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while true {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        position += 1
      default:
        return
      }
    }
  }
}
