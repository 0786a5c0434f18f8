import Shared

/// Drawing text, areas and boxes.
extension Frame {
  /// Writes a text in the middle of a row, or of some of its columns. Returns the number of columns
  /// used.
  @discardableResult
  mutating func writeCentered(
    _ text: String, row: Int, columns: Range<Int>? = nil, style: Style = .plain
  ) -> Int {
    let columns = columns ?? 0..<size.columns
    let margin = max(0, columns.count - TextWidth.columns(of: text)) / 2
    return write(
      text, at: Position(row: row, column: columns.lowerBound + margin), style: style,
      width: columns.count)
  }

  /// Writes a text that ends before a column. Returns the number of columns used.
  @discardableResult
  mutating func writeTrailing(
    _ text: String, row: Int, before column: Int, style: Style = .plain
  ) -> Int {
    write(
      text, at: Position(row: row, column: column - TextWidth.columns(of: text)), style: style)
  }

  /// Fills an area with a character of one column.
  mutating func fill(
    at position: Position, size: Size, with character: Character = " ", style: Style = .plain
  ) {
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let target = Position(row: position.row + row, column: position.column + column)
        put(character, at: target, style: style)
      }
    }
  }

  /// Draws the border of an area of at least two by two cells, with a title in its upper edge. The
  /// inside stays as it is.
  mutating func box(
    at position: Position, size: Size, title: String? = nil, style: Style = .plain
  ) {
    guard size.rows >= 2, size.columns >= 2 else { return }
    let (top, left) = (position.row, position.column)
    let (bottom, right) = (top + size.rows - 1, left + size.columns - 1)
    for column in left + 1..<right {
      put("─", at: Position(row: top, column: column), style: style)
      put("─", at: Position(row: bottom, column: column), style: style)
    }
    for row in top + 1..<bottom {
      put("│", at: Position(row: row, column: left), style: style)
      put("│", at: Position(row: row, column: right), style: style)
    }
    put("┌", at: position, style: style)
    put("┐", at: Position(row: top, column: right), style: style)
    put("└", at: Position(row: bottom, column: left), style: style)
    put("┘", at: Position(row: bottom, column: right), style: style)
    guard let title, size.columns >= 7 else { return }
    let width = min(TextWidth.columns(of: title), size.columns - 6)
    write(title, at: Position(row: top, column: left + 3), style: style, width: width)
    put(" ", at: Position(row: top, column: left + 2), style: style)
    put(" ", at: Position(row: top, column: left + 3 + width), style: style)
  }
}
