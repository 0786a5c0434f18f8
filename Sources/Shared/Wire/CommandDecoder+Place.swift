extension CommandDecoder {
  /// The cell of a move as it nearly always stands on the wire, `{"type":"place","row":1,"col":1}`,
  /// without a space; `nil` where the line is anything else, and is to be read as every line is. A
  /// move is by far the most frequent command: to take it for any line of JSON costs ten times as
  /// much.
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
