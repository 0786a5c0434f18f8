import Shared

/// Draws a board on the screen. No meaning depends on colour alone: X and O differ in shape, the
/// last move stands in parentheses, the winning line and the cursor are reversed, and open cells
/// show a digit or a dot if not every free cell is open.
struct BoardPicture: Equatable {
  let game: GameInfo
  var board: Board
  /// The cell for the next mark; `nil` for spectators.
  var cursor: Cell?
  var lastMove: Cell?
  /// The winning line.
  var line: [Cell] = []
  /// Whether open cells show the digit that places a mark on them.
  var hasDigits = false

  func draw(into frame: inout Frame, at layout: BoardLayout) {
    drawLines(into: &frame, layout)
    drawLabels(into: &frame, layout)
    for index in 0..<layout.shape.cellCount {
      draw(layout.shape.cell(at: index), into: &frame, layout)
    }
    if game.groupSide != nil {
      for index in 0..<9 { drawWinner(ofSmallBoard: index, into: &frame, layout) }
    }
  }

  private func draw(_ cell: Cell, into frame: inout Frame, _ layout: BoardLayout) {
    let corner = layout.corner(of: cell)
    let style = style(of: cell)
    let inside = layout.scale.cell
    if style.isReversed { frame.fill(at: corner, size: inside, style: style) }
    let middle = Position(
      row: corner.row + inside.rows / 2, column: corner.column + inside.columns / 2)
    frame.addButton(at: middle, "\(game.spokenName(of: cell)): \(spokenContent(of: cell))")
    if let mark = board[cell] {
      switch layout.scale {
      case .large: draw(mark, into: &frame, at: corner, size: inside, style: style)
      case .medium, .small: frame.write(mark.letter, at: middle, style: style)
      }
    } else if let sign = sign(ofFree: cell, layout) {
      frame.put(sign, at: middle, style: style.isReversed ? style : .dim)
    }
    if cell == lastMove {
      let distance = max(1, inside.columns / 2)
      for (side, sign) in [(-distance, Character("(")), (distance, ")")] {
        let position = Position(row: middle.row, column: middle.column + side)
        frame.put(sign, at: position, style: layout.scale == .small ? .bold : style)
      }
    }
  }

  /// The mark on a cell, or whether the next mark may go there.
  private func spokenContent(of cell: Cell) -> String {
    board[cell]?.letter ?? (game.isOffered(cell, on: board) ? "free" : "empty")
  }

  /// The character on a free cell; `nil` for none.
  private func sign(ofFree cell: Cell, _ layout: BoardLayout) -> Character? {
    guard game.isOffered(cell, on: board) else { return nil }
    if hasDigits { return String(game.number(of: cell)).first }
    return layout.scale == .small || game.hasOpenCells ? "·" : nil
  }

  private func style(of cell: Cell) -> Style {
    var style = board[cell].map(\.style) ?? .plain
    style.isReversed = cell == cursor || line.contains(cell)
    return style
  }

  /// Draws a large mark in the middle of an area.
  private func draw(
    _ mark: Mark, into frame: inout Frame, at corner: Position, size: Size, style: Style
  ) {
    let picture = mark.largePicture
    let top = corner.row + (size.rows - picture.count) / 2
    let left = corner.column + (size.columns - 5) / 2
    for (row, text) in picture.enumerated() {
      frame.write(text, at: Position(row: top + row, column: left), style: style)
    }
  }

  /// Draws the winner of a small board over its cells.
  private func drawWinner(
    ofSmallBoard index: Int, into frame: inout Frame, _ layout: BoardLayout
  ) {
    guard case .won(let mark) = board.smallBoard(at: index) else { return }
    let first = Cell(row: index / 3 * 3, column: index % 3 * 3)
    let last = Cell(row: first.row + 2, column: first.column + 2)
    let (corner, end) = (layout.corner(of: first), layout.corner(of: last))
    let size = Size(
      rows: end.row - corner.row + layout.scale.cell.rows,
      columns: end.column - corner.column + layout.scale.cell.columns)
    var style = mark.style
    style.isReversed = line.contains(first)
    frame.fill(at: corner, size: size, style: style.isReversed ? style : .plain)
    draw(mark, into: &frame, at: corner, size: size, style: style)
  }
}

/// The lines of the board.
extension BoardPicture {
  private func drawLines(into frame: inout Frame, _ layout: BoardLayout) {
    frame.box(at: layout.origin, size: layout.size, style: .dim)
    let rows = lines(after: layout.shape.rows, layout) { layout.corner(of: $0).row }
    let columns = lines(after: layout.shape.columns, layout) { cell in
      // At the small scale the separator stands one column before the blank before the cell.
      layout.corner(of: cell).column - (layout.scale == .small ? 1 : 0)
    }
    let (top, left) = (layout.origin.row, layout.origin.column)
    let (bottom, right) = (top + layout.size.rows - 1, left + layout.size.columns - 1)
    for row in rows {
      for column in left...right {
        put(row.isHeavy ? "━" : "─", row.position, column, row.isHeavy, into: &frame)
      }
      put(row.isHeavy ? "┝" : "├", row.position, left, row.isHeavy, into: &frame)
      put(row.isHeavy ? "┥" : "┤", row.position, right, row.isHeavy, into: &frame)
    }
    for column in columns {
      for row in top...bottom {
        put(column.isHeavy ? "┃" : "│", row, column.position, column.isHeavy, into: &frame)
      }
      put(column.isHeavy ? "┰" : "┬", top, column.position, column.isHeavy, into: &frame)
      put(column.isHeavy ? "┸" : "┴", bottom, column.position, column.isHeavy, into: &frame)
      for row in rows {
        let cross: Character =
          switch (row.isHeavy, column.isHeavy) {
          case (true, true): "╋"
          case (true, false): "┿"
          case (false, true): "╂"
          case (false, false): "┼"
          }
        put(cross, row.position, column.position, row.isHeavy || column.isHeavy, into: &frame)
      }
    }
  }

  /// Returns the lines between the rows, or the columns, of cells. At the small scale there are
  /// only those between small boards. `position` returns the position of a cell on the diagonal.
  private func lines(
    after count: Int, _ layout: BoardLayout, position: (Cell) -> Int
  ) -> [(position: Int, isHeavy: Bool)] {
    (1..<max(1, count)).compactMap { index in
      let isHeavy = game.groupSide.map { index % $0 == 0 } ?? false
      guard isHeavy || layout.scale != .small else { return nil }
      return (position(Cell(row: index, column: index)) - 1, isHeavy)
    }
  }

  /// Draws the letters and numbers of the columns into the frame, and those of the rows beside it.
  /// Those of the cursor stand out.
  private func drawLabels(into frame: inout Frame, _ layout: BoardLayout) {
    let middle = Size(rows: layout.scale.cell.rows / 2, columns: layout.scale.cell.columns / 2)
    for column in 0..<layout.shape.columns {
      guard let label = game.label(ofColumn: column) else { break }
      let corner = layout.corner(of: Cell(row: 0, column: column))
      frame.write(
        label, at: Position(row: layout.origin.row, column: corner.column + middle.columns),
        style: cursor?.column == column ? .bold : .plain)
    }
    for row in 0..<layout.shape.rows {
      guard let label = game.label(ofRow: row) else { break }
      let corner = layout.corner(of: Cell(row: row, column: 0))
      frame.writeTrailing(
        label, row: corner.row + middle.rows, before: layout.origin.column,
        style: cursor?.row == row ? .bold : .plain)
    }
  }

  private func put(
    _ line: Character, _ row: Int, _ column: Int, _ isHeavy: Bool, into frame: inout Frame
  ) {
    frame.put(line, at: Position(row: row, column: column), style: isHeavy ? .plain : .dim)
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

  /// Three rows of five columns.
  fileprivate var largePicture: [String] {
    switch self {
    case .x: [" ╲ ╱ ", "  ╳  ", " ╱ ╲ "]
    case .o: [" ╭─╮ ", " │ │ ", " ╰─╯ "]
    }
  }
}
