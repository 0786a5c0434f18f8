/// How large a board is and what wins on it.
package struct BoardShape: Hashable, Sendable {
  /// Rows and columns are from 1 to this.
  package static let maxSide = 19
  /// The rows and columns that a cell of some board can have.
  static let sides = 0..<maxSide

  package let rows: Int
  package let columns: Int
  /// How many equal marks in a straight line win; more than the board has room for means that
  /// every game is a draw.
  package let inARow: Int

  /// `nil` where a side is not in 1…19, or `inARow` is less than 1.
  package init?(rows: Int, columns: Int, inARow: Int) {
    let sides = 1...Self.maxSide
    guard sides.contains(rows), sides.contains(columns), inARow >= 1 else { return nil }
    self.init(uncheckedRows: rows, columns: columns, inARow: inARow)
  }

  private init(uncheckedRows rows: Int, columns: Int, inARow: Int) {
    self.rows = rows
    self.columns = columns
    self.inARow = inARow
  }

  /// 3 × 3, 3 in a row.
  package static let ticTacToe = BoardShape(uncheckedRows: 3, columns: 3, inARow: 3)

  package var cellCount: Int { rows * columns }

  package func contains(_ cell: Cell) -> Bool {
    // What is negative is very large as a number without sign.
    UInt(bitPattern: cell.row) < UInt(bitPattern: rows)
      && UInt(bitPattern: cell.column) < UInt(bitPattern: columns)
  }

  /// The place of a cell in row-major order. The cell must lie on the board.
  package func index(of cell: Cell) -> Int { cell.row &* columns &+ cell.column }

  /// The cell at a place in row-major order.
  package func cell(at index: Int) -> Cell { Cell(row: index / columns, column: index % columns) }
}

/// Where one of the lines that win lies on a board: the places of its cells in row-major order.
struct LineIndices {
  let start: Int
  let step: Int

  subscript(offset: Int) -> Int { start + offset * step }
}

extension BoardShape {
  /// Where `inARow` cells lie in a straight line; empty where the board has no room for one.
  ///
  /// At most 1,444 of them, those of 19 × 19 with 1 in a row.
  var lines: [LineIndices] {
    guard inARow <= max(rows, columns) else { return [] }
    var lines: [LineIndices] = []
    for direction in Direction.allCases {
      let step = direction.rows * columns + direction.columns
      for start in 0..<cellCount
      where contains(cell(at: start).moved(inARow - 1, direction)) {
        lines.append(LineIndices(start: start, step: step))
      }
    }
    return lines
  }
}
