/// The fast path for the most frequent lines: a move, and a command that has no field but an `id`.
/// It compares a line with its usual spelling, which costs far less than parsing JSON.
extension CommandDecoder {
  /// The commands that need no field. Their names have up to 8 bytes.
  private static let bareCommands: [Command] = {
    let decoder = CommandDecoder()
    return CommandType.allCases.compactMap { type in
      // The spaces keep this line off the fast path, which needs the list that is being made.
      let line = Array(#"{ "type": "\#(type.rawValue)" }"#.utf8)
      return (try? decoder.decode(line.span))?.command
    }
  }()

  /// The names of those commands: their bytes, the first one in the lowest byte, and their lengths
  /// in bits. A list of its own, because a search among the commands would copy each of them, with
  /// its strings.
  private static let bareNames = bareCommands.map { command in
    let name = JSONName(command.type.rawValue)
    return (bytes: name.head, length: UInt64(8 * name.count))
  }

  /// Reads a line without spaces that has a type and, optionally, an `id`: `{"type":"start"}`,
  /// `{"type":"ping","id":7}`. Sets `id` if there is one. Returns `nil` for any other line, and for
  /// a command that needs a field.
  static func bareCommand(_ line: Span<UInt8>, id: inout Int?) -> Command? {
    var position = 0
    guard skip(#"{"type":""#, line, &position) else { return nil }
    var name: UInt64 = 0
    var length: UInt64 = 0
    while position < line.count, line[position] != UInt8(ascii: "\"") {
      guard length < 64 else { return nil }
      name |= UInt64(line[position]) &<< length
      length &+= 8
      position &+= 1
    }
    position &+= 1
    if skip(#","id":"#, line, &position) {
      id = integer(line, &position)
      guard id != nil else { return nil }
    }
    guard isEnd(line, position) else { return nil }
    let names = bareNames
    for index in names.indices where names[index].bytes == name && names[index].length == length {
      return bareCommands[index]
    }
    return nil
  }

  /// Reads a move without an `id` and without spaces: `{"type":"place","row":1,"col":1}`. Returns
  /// `nil` for any other line.
  package static func bareMove(_ line: Span<UInt8>) -> Cell? {
    var position = 0
    guard skip(#"{"type":"place","row":"#, line, &position) else { return nil }
    return cell(line, &position, column: #","col":"#)
  }

  /// Reads a move in the other forms that programs write: with an `id`, as the project's own client
  /// does, and with a space after each colon and comma, as Python's `json.dumps` does. Returns
  /// `nil` for any other line.
  package static func move(_ line: Span<UInt8>) -> (cell: Cell, id: Int?)? {
    var position = 0
    var id: Int?
    var cell: Cell?
    if skip(#"{"type":"place","id":"#, line, &position) {
      id = integer(line, &position)
      guard id != nil, skip(#","row":"#, line, &position) else { return nil }
      cell = Self.cell(line, &position, column: #","col":"#)
    } else if skip(#"{"type": "place", "#, line, &position) {
      if skip(#""id": "#, line, &position) {
        id = integer(line, &position)
        guard id != nil, skip(#", "row": "#, line, &position) else { return nil }
      } else {
        guard skip(#""row": "#, line, &position) else { return nil }
      }
      cell = Self.cell(line, &position, column: #", "col": "#)
    }
    return cell.map { ($0, id) }
  }

  /// Reads the two numbers of a cell, which end the line.
  @inline(__always)
  private static func cell(
    _ line: Span<UInt8>, _ position: inout Int, column: StaticString
  ) -> Cell? {
    guard
      let row = coordinate(line, &position),
      skip(column, line, &position),
      let column = coordinate(line, &position),
      isEnd(line, position)
    else { return nil }
    return Cell(row: row, column: column)
  }

  /// If the line continues with `text`, moves the position past it and returns true. `text` has at
  /// least 4 bytes; several are compared at once.
  @inline(__always)
  private static func skip(
    _ text: StaticString, _ line: Span<UInt8>, _ position: inout Int
  ) -> Bool {
    let start = position
    let count = text.utf8CodeUnitCount
    guard start &+ count <= line.count else { return false }
    let isSame = line.withUnsafeBytes { bytes in
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
    if isSame { position &+= count }
    return isSame
  }

  /// Whether the rest of the line is a closing brace.
  @inline(__always)
  private static func isEnd(_ line: Span<UInt8>, _ position: Int) -> Bool {
    position == line.count - 1 && line[position] == UInt8(ascii: "}")
  }

  /// Reads a number of one or two digits.
  @inline(__always)
  private static func coordinate(_ line: Span<UInt8>, _ position: inout Int) -> Int? {
    guard let first = digit(line, &position) else { return nil }
    guard first > 0, let second = digit(line, &position) else { return first }
    return 10 &* first &+ second
  }

  /// Reads a number of 1 to 15 digits. It is always within the protocol's limit.
  @inline(__always)
  private static func integer(_ line: Span<UInt8>, _ position: inout Int) -> Int? {
    guard var number = digit(line, &position) else { return nil }
    guard number > 0 else { return 0 }
    let end = position &+ 14
    while position < end, let next = digit(line, &position) { number = 10 &* number &+ next }
    return number
  }

  @inline(__always)
  private static func digit(_ line: Span<UInt8>, _ position: inout Int) -> Int? {
    guard position < line.count else { return nil }
    let digit = line[position] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    position &+= 1
    return Int(digit)
  }
}
