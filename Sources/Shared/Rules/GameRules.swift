/// What the games have apart from the size of their board: where a mark may go, and what ends a
/// game.
package enum GameRules: Hashable, Sendable {
  /// A mark goes to any free cell. A long enough line wins.
  case line
  /// A mark goes to any free cell. A player who completes a line loses.
  case misere
  /// A mark goes to the lowest free cell of a column. A long enough line wins.
  case connect
  /// Nine boards of 3 × 3 in a grid of 3 × 3. See `Board+Ultimate.swift`.
  case ultimate
}

/// Rules with gravity: only the lowest free cell of each column is open.
extension Board {
  /// The lowest free cell of each column that has one, in row-major order.
  var lowestFreeCells: [Cell] {
    var cells: [Cell] = []
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        let cell = Cell(row: row, column: column)
        let below = Cell(row: row + 1, column: column)
        if self[cell] == nil, !shape.contains(below) || self[below] != nil { cells.append(cell) }
      }
    }
    return cells
  }
}
