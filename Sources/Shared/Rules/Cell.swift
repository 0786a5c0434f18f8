/// A place on a board. Rows and columns count from 0, row 0 at the top. A cell need not lie on any
/// board: what a peer sends is a cell until a board has looked at it.
package struct Cell: Hashable, Sendable {
  package let row: Int
  package let column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// The four directions of a straight line, each seen from its first cell: the topmost one, then the
/// leftmost one.
enum Direction: CaseIterable {
  case right, down, downRight, downLeft

  /// How far the next cell lies below.
  var rows: Int { self == .right ? 0 : 1 }

  /// How far the next cell lies to the right.
  var columns: Int {
    switch self {
    case .right, .downRight: 1
    case .down: 0
    case .downLeft: -1
    }
  }
}

extension Cell {
  /// The cell so many steps on in a direction, or back from it where `steps` is negative.
  func moved(_ steps: Int, _ direction: Direction) -> Cell {
    Cell(row: row + steps * direction.rows, column: column + steps * direction.columns)
  }
}
