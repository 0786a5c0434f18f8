import Shared

/// Draws a board on the screen. No meaning depends on colour alone: X and O differ in shape, the
/// last move is in parentheses, and the winning line and the cursor are reversed.
struct BoardPicture: Equatable {
  var board: Board
  /// The cell for the next mark; `nil` for spectators.
  var cursor: Cell?
  var lastMove: Cell?
  /// The winning line.
  var line: [Cell] = []
  /// Whether free cells show the digit that places a mark on them.
  var hasDigits = false

  /// Returns whether one digit is enough for every cell.
  static func hasDigits(_ shape: BoardShape) -> Bool { shape.cellCount <= 9 }

  func draw(into frame: inout Frame, at layout: BoardLayout) {
    drawLines(into: &frame, layout)
    for index in 0..<layout.shape.cellCount {
      draw(layout.shape.cell(at: index), into: &frame, layout)
    }
  }

  private func drawLines(into frame: inout Frame, _ layout: BoardLayout) {
    frame.box(at: layout.origin, size: layout.size, style: .dim)
    guard layout.scale != .small else { return }
    let (top, left) = (layout.origin.row, layout.origin.column)
    let (bottom, right) = (top + layout.size.rows - 1, left + layout.size.columns - 1)
    let rows = stride(from: top, through: bottom, by: layout.scale.step.rows)
    let columns = stride(from: left, through: right, by: layout.scale.step.columns)
    for row in rows.dropFirst().dropLast() {
      for column in left...right { put("─", row, column, into: &frame) }
    }
    for column in columns.dropFirst().dropLast() {
      for row in top...bottom { put("│", row, column, into: &frame) }
    }
    for row in rows {
      for column in columns {
        let corner = Self.corner(
          isTop: row == top, isBottom: row == bottom, isLeft: column == left,
          isRight: column == right)
        put(corner, row, column, into: &frame)
      }
    }
  }

  private static func corner(isTop: Bool, isBottom: Bool, isLeft: Bool, isRight: Bool) -> Character
  {
    let corners: [[Character]] = [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]]
    return corners[isTop ? 0 : isBottom ? 2 : 1][isLeft ? 0 : isRight ? 2 : 1]
  }

  private func put(_ line: Character, _ row: Int, _ column: Int, into frame: inout Frame) {
    frame.put(line, at: Position(row: row, column: column), style: .dim)
  }

  private func draw(_ cell: Cell, into frame: inout Frame, _ layout: BoardLayout) {
    let corner = layout.corner(of: cell)
    let style = style(of: cell)
    let inside = layout.scale.cell
    if style.isReversed { frame.fill(at: corner, size: inside, style: style) }
    let middle = Position(
      row: corner.row + inside.rows / 2, column: corner.column + inside.columns / 2)
    if let mark = board[cell] {
      switch layout.scale {
      case .large:
        for (row, text) in mark.largePicture.enumerated() {
          let position = Position(row: corner.row + row, column: corner.column + 1)
          frame.write(text, at: position, style: style)
        }
      case .medium, .small: frame.write(mark.letter, at: middle, style: style)
      }
    } else if let free = free(cell, layout) {
      frame.put(free, at: middle, style: style.isReversed ? style : .dim)
    }
    if cell == lastMove {
      let distance = max(1, inside.columns / 2)
      for (side, sign) in [(-distance, Character("(")), (distance, ")")] {
        let position = Position(row: middle.row, column: middle.column + side)
        frame.put(sign, at: position, style: layout.scale == .small ? .bold : style)
      }
    }
  }

  private func free(_ cell: Cell, _ layout: BoardLayout) -> Character? {
    if hasDigits { return String(board.shape.index(of: cell) + 1).first }
    return layout.scale == .small ? "·" : nil
  }

  private func style(of cell: Cell) -> Style {
    var style = board[cell].map(\.style) ?? .plain
    style.isReversed = cell == cursor || line.contains(cell)
    return style
  }
}

extension Mark {
  /// Colours that are legible on dark and on light terminals.
  var style: Style {
    switch self {
    case .x: Style(color: .red, isBold: true)
    case .o: Style(color: .brightBlue, isBold: true)
    }
  }

  fileprivate var largePicture: [String] {
    switch self {
    case .x: [" ╲ ╱ ", "  ╳  ", " ╱ ╲ "]
    case .o: [" ╭─╮ ", " │ │ ", " ╰─╯ "]
    }
  }
}
