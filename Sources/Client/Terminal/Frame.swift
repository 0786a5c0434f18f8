import Shared

/// One frame of the screen: a grid of cells. Drawing outside the grid has no effect.
struct Frame: Equatable {
  struct Cell: Equatable {
    /// `nil` in the right half of a wide character.
    var character: Character?
    var style: Style

    static let blank = Cell(character: " ", style: .plain)
  }

  let size: Size
  /// The position of the terminal's cursor. The cursor is hidden if this is `nil` or outside.
  var cursor: Position?
  /// The number of the animation step, which turns the spinners.
  let tick: Int
  /// Set by drawings that move, such as spinners. The screen then draws the next step soon.
  var isAnimated = false
  /// Set by drawings of a clock. The screen then draws again after one second.
  var hasClock = false
  /// Whether drawings name what can be clicked.
  let namesButtons: Bool
  /// What can be clicked, in words; empty unless `namesButtons`.
  private(set) var buttons: [Button] = []
  // Apart from each other they take 21 bytes for a cell, and 24 together: a page has one frame for
  // each tab.
  private var characters: [Character?]
  private var styles: [Style]

  /// What happens at a click on a position, for those who do not see the screen.
  struct Button: Equatable {
    let position: Position
    let label: String
  }

  init(size: Size, tick: Int = 0, namesButtons: Bool = false) {
    self.size = size
    self.tick = tick
    self.namesButtons = namesButtons
    let count = size.rows * size.columns
    characters = Array(repeating: Cell.blank.character, count: count)
    styles = Array(repeating: Cell.blank.style, count: count)
  }

  /// The cell at a position, which must be within the frame.
  subscript(row: Int, column: Int) -> Cell {
    precondition(contains(row, column), "a frame has no cells outside")
    let index = row * size.columns + column
    return Cell(character: characters[index], style: styles[index])
  }

  /// Names what can be clicked at a position. The label is only made if somebody wants it.
  mutating func addButton(at position: Position, _ label: @autoclosure () -> String) {
    guard namesButtons else { return }
    buttons.append(Button(position: position, label: label()))
  }

  func contains(_ row: Int, _ column: Int) -> Bool {
    (0..<size.rows).contains(row) && (0..<size.columns).contains(column)
  }

  /// Writes one line of text to the right of a position, up to `width` columns and up to the edge
  /// of the frame. Text that does not fit ends in “…”. Characters that are not safe to show, line
  /// breaks included, become “�”. Returns the number of columns used.
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

  /// Writes one character, if it fits.
  mutating func put(_ character: Character, at position: Position, style: Style = .plain) {
    let character = character.displayable
    let width = TextWidth.columns(of: character)
    let (row, column) = (position.row, position.column)
    guard contains(row, column), contains(row, column + width - 1) else { return }
    for column in column..<column + width { clear(row, column) }
    let index = row * size.columns + column
    (characters[index], styles[index]) = (character, style)
    if width == 2 { (characters[index + 1], styles[index + 1]) = (nil, style) }
  }

  private static func cut(_ line: [Character], to room: Int) -> [Character] {
    var used = 0
    // The number of characters that fit together with “…”.
    var kept = 0
    for (index, character) in line.enumerated() {
      used += TextWidth.columns(of: character)
      if used < room { kept = index + 1 }
      if used > room { return line[..<kept] + ["…"] }
    }
    return line
  }

  /// Clears a cell. If it holds one half of a wide character, the other half becomes a space.
  private mutating func clear(_ row: Int, _ column: Int) {
    let index = row * size.columns + column
    if characters[index] == nil { characters[index - 1] = " " }
    if column + 1 < size.columns, characters[index + 1] == nil { characters[index + 1] = " " }
  }
}

/// The size of a terminal, or of a part of it, in cells. Never negative.
struct Size: Equatable {
  var rows: Int
  var columns: Int

  init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// Returns whether an area of another size fits into this one.
  func holds(_ other: Size) -> Bool {
    rows >= other.rows && columns >= other.columns
  }
}

/// The position of a cell of the terminal. The top left cell is at 0, 0.
struct Position: Equatable {
  var row: Int
  var column: Int
}
