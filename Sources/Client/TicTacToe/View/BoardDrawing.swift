import Shared

/// Draws a board in plain characters, as wide as 80 columns and as high as 24 rows allow. A small
/// board shows the number of each free cell. Other boards have letters and numbers at their edges,
/// and a dot on each cell where the next mark may go. The last move stands in parentheses.
enum BoardDrawing {
  /// `lastMove` is `nil` if it is unknown.
  static func text(of board: Board, in game: GameInfo, lastMove: Cell? = nil) -> String {
    // Without lines between its cells, gomoku fits.
    let isDense = board.shape.cellCount > 99
    let labels = (0..<board.shape.rows).map { game.label(ofRow: $0) ?? "" }
    let width = labels.map(\.count).max() ?? 0
    let rows = labels.indices.map { row in
      let cells = (0..<board.shape.columns).map { column in
        let cell = Cell(row: row, column: column)
        return (letter: letter(of: cell, on: board, in: game), isLast: cell == lastMove)
      }
      let label = String(repeating: " ", count: width - labels[row].count) + labels[row]
      return (label + (isDense ? denseRow(cells) : spacedRow(cells, in: game))).trimmedAtEnd
    }
    let margin = String(repeating: " ", count: width)
    let lines = rows.enumerated().map { row, text in
      row == 0 || isDense ? text : margin + line(above: row, on: board, in: game) + "\n" + text
    }
    let header = header(of: board, in: game, isDense: isDense).map { [margin + $0] } ?? []
    return (header + lines).joined(separator: "\n")
  }

  private static func letter(of cell: Cell, on board: Board, in game: GameInfo) -> String {
    if let mark = board[cell] { return mark.letter }
    guard game.isOffered(cell, on: board) else { return " " }
    return game.hasLabels || game.dropsMarks ? "." : String(game.number(of: cell))
  }

  /// The labels of the columns; `nil` if there are none.
  private static func header(of board: Board, in game: GameInfo, isDense: Bool) -> String? {
    let labels = (0..<board.shape.columns).map { game.label(ofColumn: $0) }
    guard labels.allSatisfy({ $0 != nil }) else { return nil }
    let text = labels.compactMap(\.self).enumerated().map { column, label in
      isDense
        ? " " + label
        : String(repeating: " ", count: edge("|", before: column, in: game).count) + " \(label) "
    }
    return text.joined().trimmedAtEnd
  }

  private static func spacedRow(_ cells: [(letter: String, isLast: Bool)], in game: GameInfo)
    -> String
  {
    cells.enumerated().map { column, cell in
      edge("|", before: column, in: game) + (cell.isLast ? "(\(cell.letter))" : " \(cell.letter) ")
    }.joined()
  }

  private static func denseRow(_ cells: [(letter: String, isLast: Bool)]) -> String {
    var text = ""
    var wasLast = false
    for cell in cells {
      text += (cell.isLast ? "(" : wasLast ? ")" : " ") + cell.letter
      wasLast = cell.isLast
    }
    return text + (wasLast ? ")" : "")
  }

  private static func line(above row: Int, on board: Board, in game: GameInfo) -> String {
    let character = edge("-", before: row, in: game).count > 1 ? "===" : "---"
    return (0..<board.shape.columns).map { edge("+", before: $0, in: game) + character }.joined()
  }

  /// The edge before a column or a row: double between small boards, and none before the first.
  private static func edge(_ edge: String, before index: Int, in game: GameInfo) -> String {
    if index == 0 { return "" }
    return game.groupSide.map { index % $0 == 0 } ?? false ? edge + edge : edge
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    String(prefix { _ in true }.reversed().drop { $0 == " " }.reversed())
  }
}
