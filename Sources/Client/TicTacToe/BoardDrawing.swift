import Shared

/// Draws a board in plain characters; a free cell shows the number that is typed for it.
enum BoardDrawing {
  static func text(of board: Board) -> String {
    let shape = board.shape
    let width = String(shape.cellCount).count
    let rule = Array(repeating: String(repeating: "-", count: width + 2), count: shape.columns)
      .joined(separator: "+")
    let rows = (0..<shape.rows).map { row in
      (0..<shape.columns).map { column in
        let cell = Cell(row: row, column: column)
        let text = board[cell]?.letter ?? String(shape.index(of: cell) + 1)
        return " " + String(repeating: " ", count: width - text.count) + text
      }.joined(separator: " |")
    }
    return rows.joined(separator: "\n" + rule + "\n")
  }
}
