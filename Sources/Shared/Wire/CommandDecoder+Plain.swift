/// The two kinds of lines that nearly all are, read without taking them for any line of JSON, which
/// would cost many times as much.
extension CommandDecoder {
  /// The commands that need no field, each with its name, which has 8 bytes at most.
  private static let bareCommands: [(name: JSONName, command: Command)] = {
    let decoder = CommandDecoder()
    return CommandType.allCases.compactMap { type in
      // With spaces it is read like any other line: this list is not asked for while it is made.
      let line = Array(#"{ "type": "\#(type.rawValue)" }"#.utf8)
      return (try? decoder.decode(line.span)).flatMap { request in
        request.map { (JSONName(type.rawValue), $0.command) }
      }
    }
  }()

  /// The command of a line that says no more than its name, `{"type":"start"}`, without a space; `nil`
  /// where the line is anything else, or the command needs more.
  static func bareCommand(_ line: Span<UInt8>) -> Command? {
    var position = 0
    let end = line.count - 2
    guard (10...17).contains(end), line[end] == UInt8(ascii: "\""),
      line[end + 1] == UInt8(ascii: "}"), skip(#"{"type":""#, line, &position)
    else { return nil }
    var name: UInt64 = 0
    while position < end {
      name = name >> 8 | UInt64(line[position]) << 56
      position += 1
    }
    let count = end - 9
    name >>= UInt64(8 * (8 - count))
    for (bare, command) in bareCommands where bare.head == name && bare.count == count {
      return command
    }
    return nil
  }

  /// The cell of a move as it nearly always stands on the wire, `{"type":"place","row":1,"col":1}`,
  /// without a space; `nil` where the line is anything else. It is by far the most frequent command.
  package static func plainPlace(_ line: Span<UInt8>) -> Cell? {
    var position = 0
    guard
      skip(#"{"type":"place","row":"#, line, &position),
      let row = number(line, &position),
      skip(#","col":"#, line, &position),
      let column = number(line, &position),
      position == line.count - 1, line[position] == UInt8(ascii: "}")
    else { return nil }
    return Cell(row: row, column: column)
  }

  /// Compares a few bytes at once with a text of at least 4.
  @inline(__always)
  private static func skip(
    _ text: StaticString, _ line: Span<UInt8>, _ position: inout Int
  ) -> Bool {
    let start = position
    let count = text.utf8CodeUnitCount
    guard start + count <= line.count else { return false }
    position += count
    return line.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(start: text.utf8Start, count: count)
      var offset = 0
      while count - offset >= 8 {
        guard
          bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
            == text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        else { return false }
        offset += 8
      }
      while offset < count {
        let four = min(offset, count - 4)
        guard
          bytes.loadUnaligned(fromByteOffset: start + four, as: UInt32.self)
            == text.loadUnaligned(fromByteOffset: four, as: UInt32.self)
        else { return false }
        offset += 4
      }
      return true
    }
  }

  /// A number of one digit, or of two.
  @inline(__always)
  private static func number(_ line: Span<UInt8>, _ position: inout Int) -> Int? {
    guard position < line.count else { return nil }
    let first = line[position] &- UInt8(ascii: "0")
    guard first < 10 else { return nil }
    position += 1
    guard first > 0, position < line.count else { return Int(first) }
    let second = line[position] &- UInt8(ascii: "0")
    guard second < 10 else { return Int(first) }
    position += 1
    return 10 * Int(first) + Int(second)
  }
}
