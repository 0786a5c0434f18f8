/// A small terminal emulator: it shows what a person would see of a program's output. It knows only
/// the escape sequences that our programs write; any other is an error.
package struct ScreenEmulator {
  package struct Look: Equatable {
    package var color: Int?
    package var isBold = false
    package var isDim = false
    package var isReversed = false
    package var isUnderlined = false

    package init() {}
  }

  package struct Cell: Equatable {
    /// `nil` in the right half of a wide character.
    package var character: Character?
    package var look: Look
  }

  package struct UnknownInputError: Error, CustomStringConvertible {
    package let description: String
  }

  package private(set) var rows: Int
  package private(set) var columns: Int
  package private(set) var row = 0
  package private(set) var column = 0
  package private(set) var isCursorVisible = true
  /// How often the bell has rung.
  package private(set) var bells = 0
  /// The private modes that are set, such as 1049 for the alternate screen.
  package private(set) var modes: Set<Int> = []
  private var wrapsLines = true
  private let width: (Character) -> Int
  private var cells: [Cell]
  /// The main screen and its cursor, while the alternate screen hides them.
  private var mainCells: [Cell] = []
  private var mainCursor = (row: 0, column: 0)
  private var look = Look()
  private var pending: [UInt8] = []
  /// The cell of the last character, while the next code point may still combine with it.
  private var lastCell: Int?

  /// `width` returns how many columns a character takes, 0 to 2.
  package init(rows: Int, columns: Int, width: @escaping (Character) -> Int) {
    self.rows = rows
    self.columns = columns
    self.width = width
    cells = Self.blank(rows * columns)
  }

  package var isAlternate: Bool { modes.contains(1049) }

  package subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// The characters of each row, without the spaces at its end.
  package var lines: [String] {
    (0..<rows).map { row in
      let line = (0..<columns).compactMap { self[row, $0].character }
      let end = line.lastIndex { $0 != " " }
      return end.map { String(line[...$0]) } ?? ""
    }
  }

  /// Changes the size and clears the screen. The program must draw all of it again.
  package mutating func resize(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    cells = Self.blank(rows * columns)
    mainCells = Self.blank(rows * columns)
    mainCursor = (0, 0)
    (row, column, lastCell) = (0, 0, nil)
  }

  /// Takes output, split in any way.
  package mutating func receive(_ bytes: some Sequence<UInt8>) throws(UnknownInputError) {
    pending += bytes
    while let length = try takeFirst(of: pending[...]) { pending.removeFirst(length) }
  }

  /// Returns how many bytes were used; `nil` if a sequence is incomplete.
  private mutating func takeFirst(of bytes: ArraySlice<UInt8>) throws(UnknownInputError) -> Int? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return try takeSequence(bytes)
    case 0x07: bells += 1
    case 0x0D: (column, lastCell) = (0, nil)
    case 0x0A: lineFeed()
    case 0x08: (column, lastCell) = (max(0, column - 1), nil)
    case 0x00..<0x20, 0x7F: throw UnknownInputError(description: "control character \(first)")
    default:
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard bytes.count >= length else { return nil }
      guard let text = String(validating: bytes.prefix(length), as: UTF8.self),
        let scalar = text.unicodeScalars.first
      else { throw UnknownInputError(description: "no UTF-8: \(Array(bytes.prefix(length)))") }
      try write(scalar)
      return length
    }
    return 1
  }

  private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) throws(UnknownInputError) -> Int? {
    let text = bytes.dropFirst()
    guard let second = text.first else { return nil }
    guard second == UInt8(ascii: "[") else {
      throw UnknownInputError(description: "ESC \(Character(Unicode.Scalar(second)))")
    }
    guard let end = text.dropFirst().firstIndex(where: { 0x40..<0x7F ~= $0 }) else { return nil }
    lastCell = nil
    let parameters = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
    try obey(Character(Unicode.Scalar(bytes[end])), parameters)
    return end + 1 - bytes.startIndex
  }

  private mutating func obey(_ command: Character, _ parameters: String) throws(UnknownInputError) {
    let unknown = UnknownInputError(description: "ESC [ \(parameters) \(command)")
    let isPrivate = parameters.first == "?"
    var numbers: [Int] = []
    for part in parameters.drop(while: { $0 == "?" }).split(separator: ";") {
      guard let number = Int(part) else { throw unknown }
      numbers.append(number)
    }
    switch (command, isPrivate) {
    case ("h", true): for mode in numbers { try set(mode, to: true, unknown) }
    case ("l", true): for mode in numbers { try set(mode, to: false, unknown) }
    case ("m", false): for code in numbers.isEmpty ? [0] : numbers { try select(code, unknown) }
    case ("J", false) where numbers == [2]: cells = Self.blank(rows * columns)
    case ("H", false):
      let place = numbers.isEmpty ? [1, 1] : numbers
      guard place.count == 2, 1...rows ~= place[0], 1...columns ~= place[1] else { throw unknown }
      (row, column) = (place[0] - 1, place[1] - 1)
    default: throw unknown
    }
  }

  private mutating func set(_ mode: Int, to isOn: Bool, _ unknown: UnknownInputError)
    throws(UnknownInputError)
  {
    switch mode {
    case 7: return wrapsLines = isOn
    case 25: isCursorVisible = isOn
    case 1000, 1006, 2004: break
    case 1049:
      guard isOn != isAlternate else { break }
      if isOn {
        mainCells = cells
        mainCursor = (row, column)
        cells = Self.blank(rows * columns)
      } else {
        cells = mainCells
        (row, column) = mainCursor
      }
    default: throw unknown
    }
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
  }

  private mutating func select(_ code: Int, _ unknown: UnknownInputError) throws(UnknownInputError)
  {
    switch code {
    case 0: look = Look()
    case 1: look.isBold = true
    case 2: look.isDim = true
    case 4: look.isUnderlined = true
    case 7: look.isReversed = true
    case 30...37: look.color = code - 30
    case 90...97: look.color = code - 82
    default: throw unknown
    }
  }

  private mutating func write(_ scalar: Unicode.Scalar) throws(UnknownInputError) {
    if let lastCell, let before = cells[lastCell].character {
      let both = String(before) + String(scalar)
      if both.count == 1, let character = both.first { return try join(character, at: lastCell) }
    }
    let character = Character(scalar)
    let columnsTaken = width(character)
    guard columnsTaken > 0 else {
      throw UnknownInputError(description: "\(scalar.value) stands alone")
    }
    if column + columnsTaken > columns, wrapsLines {
      column = 0
      lineFeed()
    }
    column = min(column, columns - columnsTaken)
    let index = row * columns + column
    put(character, at: index, columnsTaken)
    lastCell = index
    column += columnsTaken
  }

  /// Another code point for the character before the cursor may make it wide.
  private mutating func join(_ character: Character, at index: Int) throws(UnknownInputError) {
    let before = cells[index].character.map(width) ?? 0
    let after = width(character)
    guard index % columns + after <= columns else {
      throw UnknownInputError(description: "\(character) is cut by the edge")
    }
    put(character, at: index, after)
    column += after - before
  }

  private mutating func put(_ character: Character, at index: Int, _ columnsTaken: Int) {
    for index in index..<index + columnsTaken {
      // Overwriting half of a wide character clears both halves.
      if cells[index].character == nil { cells[index - 1].character = " " }
      if (index + 1) % columns != 0, cells[index + 1].character == nil {
        cells[index + 1].character = " "
      }
    }
    cells[index] = Cell(character: character, look: look)
    if columnsTaken == 2 { cells[index + 1] = Cell(character: nil, look: look) }
  }

  private mutating func lineFeed() {
    lastCell = nil
    if row + 1 < rows {
      row += 1
    } else {
      cells.removeFirst(columns)
      cells += Self.blank(columns)
    }
  }

  private static func blank(_ count: Int) -> [Cell] {
    Array(repeating: Cell(character: " ", look: Look()), count: count)
  }
}
