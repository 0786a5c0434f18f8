import Shared

/// One picture of the screen: a grid of cells. What lies outside of it is not drawn.
struct Frame: Equatable {
  /// What stands in one cell.
  struct Cell: Equatable {
    /// `nil` where the cell is the right half of the wide character before it.
    var character: Character?
    var style: Style

    static let blank = Cell(character: " ", style: .plain)
  }

  let size: Size
  /// Where the terminal's cursor stands; hidden where it is `nil` or outside.
  var cursor: Position?
  /// Goes up by one with each picture of what moves by itself, such as a spinner.
  let tick: Int
  /// Set by whoever draws something that moves: the screen then asks for the next picture soon.
  var isAnimated = false
  /// Set by whoever draws a time in seconds: the screen then asks for the next picture in one.
  var hasClock = false
  private var cells: [Cell]

  init(size: Size, tick: Int = 0) {
    self.size = size
    self.tick = tick
    cells = Array(repeating: .blank, count: size.rows * size.columns)
  }

  /// The cell there, which must be one of the frame's.
  subscript(row: Int, column: Int) -> Cell {
    precondition(contains(row, column), "a frame has no cells outside")
    return cells[row * size.columns + column]
  }

  func contains(_ row: Int, _ column: Int) -> Bool {
    (0..<size.rows).contains(row) && (0..<size.columns).contains(column)
  }

  /// Writes one line of text from a cell to the right, at most `width` columns of it and never
  /// beyond the edge; text that is cut ends in “…”. What cannot be shown safely is shown as “�”,
  /// line breaks included. Answers how many columns were used.
  @discardableResult
  mutating func write(
    _ text: String, at position: Position, style: Style = .plain, width: Int? = nil
  ) -> Int {
    let room = min(width ?? .max, size.columns - position.column)
    guard (0..<size.rows).contains(position.row), room > 0 else { return 0 }
    var column = 0
    for character in Self.cut(text.map(\.displayable), to: room) {
      put(
        character, at: Position(row: position.row, column: position.column + column), style: style)
      column += TextWidth.columns(of: character)
    }
    return column
  }

  /// Puts one character where it has room; nothing is drawn where it has none.
  mutating func put(_ character: Character, at position: Position, style: Style = .plain) {
    let character = character.displayable
    let width = TextWidth.columns(of: character)
    let (row, column) = (position.row, position.column)
    guard contains(row, column), contains(row, column + width - 1) else { return }
    for column in column..<column + width { clear(row, column) }
    let index = row * size.columns + column
    cells[index] = Cell(character: character, style: style)
    if width == 2 { cells[index + 1] = Cell(character: nil, style: style) }
  }

  private static func cut(_ line: [Character], to room: Int) -> [Character] {
    var used = 0
    // Where the text would be cut, with room for the sign that says so.
    var kept = 0
    for (index, character) in line.enumerated() {
      used += TextWidth.columns(of: character)
      if used < room { kept = index + 1 }
      if used > room { return line[..<kept] + ["…"] }
    }
    return line
  }

  /// Makes room: the other half of a wide character is not left alone.
  private mutating func clear(_ row: Int, _ column: Int) {
    let index = row * size.columns + column
    if cells[index].character == nil { cells[index - 1].character = " " }
    if column + 1 < size.columns, cells[index + 1].character == nil {
      cells[index + 1].character = " "
    }
  }
}
