/// A row and a column, which count from 0 at the top left. A cell need not be on the board: a peer
/// can send any numbers, and the board checks them.
package struct Cell: Hashable, Sendable {
  package let row: Int
  package let column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// The four directions of a straight line, from its topmost cell, or from its leftmost one if it is
/// horizontal.
enum Direction: CaseIterable {
  case right, down, downRight, downLeft

  /// Rows from one cell to the next.
  var rows: Int { self == .right ? 0 : 1 }

  /// Columns from one cell to the next, counted to the right.
  var columns: Int {
    switch self {
    case .right, .downRight: 1
    case .down: 0
    case .downLeft: -1
    }
  }
}

extension Cell {
  /// The cell that is `steps` cells away in a direction. A negative number goes backwards.
  func moved(_ steps: Int, _ direction: Direction) -> Cell {
    Cell(row: row + steps * direction.rows, column: column + steps * direction.columns)
  }
}
