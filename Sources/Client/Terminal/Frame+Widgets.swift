import Shared

/// The parts that all screens share.
extension Frame {
  /// Writes the first row: the title, and the people at its right.
  mutating func writeHeader(_ title: String, _ people: String) {
    let room = max(0, size.columns - 2)
    let used = write(title, at: Position(row: 0, column: 1), style: .bold, width: room)
    let width = min(TextWidth.columns(of: people), room - used - 2)
    let column = size.columns - 1 - width
    write(people, at: Position(row: 0, column: column), style: .dim, width: width)
  }

  /// Writes the last row: the most important keys. If they do not fit, those before the last one
  /// are left out; on a narrow screen, which may be a phone, first all that cannot be clicked.
  mutating func writeFooter(_ keys: [KeyHelp]) {
    fill(at: Position(row: size.rows - 1, column: 0), size: Size(rows: 1, columns: size.columns))
    let room = max(0, size.columns - 2)
    var keys = keys
    var text: String { keys.map { "\($0.keys) \($0.meaning)" }.joined(separator: " · ") }
    while keys.count > 1, TextWidth.columns(of: text) > room {
      let idle = size.columns < 60 ? keys.lastIndex { $0.key == nil } : nil
      keys.remove(at: idle ?? keys.count - 2)
    }
    write(text, at: Position(row: size.rows - 1, column: 1), style: .dim, width: room)
  }

  /// Adds a key to the last row, if it fits.
  mutating func addToFooter(_ key: KeyHelp) {
    let text = " · \(key.keys) \(key.meaning)"
    let row = size.rows - 1
    let used = (0..<size.columns).last { self[row, $0] != .blank }.map { $0 + 1 } ?? 0
    guard used + TextWidth.columns(of: text) < size.columns else { return }
    write(text, at: Position(row: row, column: used), style: .dim)
  }

  /// Writes a text in the middle of the first row. Returns `false`, and writes nothing, if that
  /// part of the row is not empty.
  mutating func writeInHeader(_ text: String) -> Bool {
    let width = TextWidth.columns(of: text)
    let column = (size.columns - width) / 2
    guard column > 1, (column - 1...column + width).allSatisfy({ self[0, $0] == .blank }) else {
      return false
    }
    write(text, at: Position(row: 0, column: column), style: .dim)
    return true
  }

  /// Writes a sign at the first row of a list (`up`), and at its last row (`down`), if it goes on
  /// there; `nil` if it does not.
  mutating func writeScrollSigns(up: Int?, down: Int?, column: Int, style: Style = .dim) {
    if let up { put("↑", at: Position(row: up, column: column), style: style) }
    if let down { put("↓", at: Position(row: down, column: column), style: style) }
  }

  /// Draws a box in the middle of the screen, over anything else. `columns` is the width of its
  /// text; `nil` is that of the longest line.
  mutating func writeDialog(
    _ lines: [String], title: String? = nil, columns: Int? = nil, style: Style = .plain
  ) {
    let width = columns ?? lines.map(TextWidth.columns(of:)).max() ?? 0
    let box = Self.dialog(Size(rows: lines.count, columns: width), in: size)
    let corner = box.corner
    fill(at: corner, size: box.size)
    self.box(at: corner, size: box.size, title: title, style: style)
    for (index, line) in lines.prefix(max(0, box.size.rows - 2)).enumerated() {
      write(
        line, at: Position(row: corner.row + 1 + index, column: corner.column + 3),
        width: box.size.columns - 6)
    }
  }

  /// Returns the area of a box in the middle of a screen, for a text of a size.
  static func dialog(_ text: Size, in size: Size) -> Area {
    let box = Size(
      rows: min(text.rows + 2, size.rows), columns: min(max(text.columns, 16) + 6, size.columns))
    let corner = Position(
      row: (size.rows - box.rows) / 2, column: (size.columns - box.columns) / 2)
    return Area(corner: corner, size: box)
  }

  /// Asks a question over anything else, and shows the keys that answer it.
  mutating func writeQuestion(_ question: String) {
    cursor = nil
    writeDialog("\(question) (y/n)".wrapped(to: max(2, size.columns - 6)), style: .bold)
    writeFooter([KeyHelp("y", "yes"), KeyHelp("any other key", "no")])
  }

  /// Draws a spinner, and asks for the next step of the animation.
  mutating func writeSpinner(at position: Position, style: Style = .plain) {
    isAnimated = true
    put(Self.spinner[tick % Self.spinner.count], at: position, style: style)
  }

  private static let spinner = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
}
