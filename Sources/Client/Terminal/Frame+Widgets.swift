import Shared

/// What all screens have in common.
extension Frame {
  /// The first row: what this is, and at its right who is here.
  mutating func writeHeader(_ title: String, _ people: String) {
    let room = max(0, size.columns - 2)
    let used = write(title, at: Position(row: 0, column: 1), style: .bold, width: room)
    let width = min(TextWidth.columns(of: people), room - used - 2)
    let column = size.columns - 1 - width
    write(people, at: Position(row: 0, column: column), style: .dim, width: width)
  }

  /// The last row: what the most important keys do. Where not all have room it is those before the
  /// last that are left out.
  mutating func writeFooter(_ keys: [KeyHelp]) {
    let room = max(0, size.columns - 2)
    var texts = keys.map { "\($0.keys) \($0.meaning)" }
    while texts.count > 1, TextWidth.columns(of: texts.joined(separator: " · ")) > room {
      texts.remove(at: texts.count - 2)
    }
    write(
      texts.joined(separator: " · "), at: Position(row: size.rows - 1, column: 1), style: .dim,
      width: room)
  }

  /// One more key behind those in the last row, where there is room for it.
  mutating func addToFooter(_ key: KeyHelp) {
    let text = " · \(key.keys) \(key.meaning)"
    let row = size.rows - 1
    let used = (0..<size.columns).last { self[row, $0] != .blank }.map { $0 + 1 } ?? 0
    guard used + TextWidth.columns(of: text) < size.columns else { return }
    write(text, at: Position(row: row, column: used), style: .dim)
  }

  /// Writes in the middle of the first row where nothing stands, or returns `false`.
  mutating func writeInHeader(_ text: String) -> Bool {
    let width = TextWidth.columns(of: text)
    let column = (size.columns - width) / 2
    guard column > 1, (column - 1...column + width).allSatisfy({ self[0, $0] == .blank }) else {
      return false
    }
    write(text, at: Position(row: 0, column: column), style: .dim)
    return true
  }

  /// A box in the middle of the screen, over what is there.
  mutating func writeDialog(_ lines: [String], title: String? = nil, style: Style = .plain) {
    let width = lines.map(TextWidth.columns(of:)).max() ?? 0
    let box = Size(
      rows: min(lines.count + 2, size.rows), columns: min(max(width, 16) + 6, size.columns))
    let corner = Position(
      row: (size.rows - box.rows) / 2, column: (size.columns - box.columns) / 2)
    fill(at: corner, size: box)
    self.box(at: corner, size: box, title: title, style: style)
    for (index, line) in lines.prefix(max(0, box.rows - 2)).enumerated() {
      write(
        line, at: Position(row: corner.row + 1 + index, column: corner.column + 3),
        width: box.columns - 6)
    }
  }

  /// A sign of life, which turns as long as it is drawn again.
  mutating func writeSpinner(at position: Position, style: Style = .plain) {
    isAnimated = true
    put(Self.spinner[tick % Self.spinner.count], at: position, style: style)
  }

  private static let spinner = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
}
