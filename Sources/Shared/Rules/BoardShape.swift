/// The size of a board, and how many marks in a row win on it.
package struct BoardShape: Hashable, Sendable {
  /// The maximum number of rows, and of columns.
  package static let maxSide = 19
  /// The row and column numbers that a cell can have on the largest board.
  static let coordinates = 0..<maxSide

  package let rows: Int
  package let columns: Int
  /// The number of equal marks in a straight line that wins. If it is larger than the board, every
  /// game is a draw.
  package let inARow: Int

  /// Returns `nil` if `rows` or `columns` is not in 1...`maxSide`, or `inARow` is less than 1.
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

  package static let ticTacToe = BoardShape(uncheckedRows: 3, columns: 3, inARow: 3)
  package static let four = BoardShape(uncheckedRows: 4, columns: 4, inARow: 4)
  package static let gomoku = BoardShape(uncheckedRows: 15, columns: 15, inARow: 5)
  package static let connect = BoardShape(uncheckedRows: 6, columns: 7, inARow: 4)
  /// 9 × 9: nine boards of 3 × 3, of which 3 in a row win.
  package static let ultimate = BoardShape(uncheckedRows: 9, columns: 9, inARow: 3)

  package var cellCount: Int { rows * columns }

  package func contains(_ cell: Cell) -> Bool {
    // As an unsigned number, a negative coordinate is larger than any side.
    UInt(bitPattern: cell.row) < UInt(bitPattern: rows)
      && UInt(bitPattern: cell.column) < UInt(bitPattern: columns)
  }

  /// The index of a cell in row-major order. The cell must be on the board.
  package func index(of cell: Cell) -> Int { cell.row &* columns &+ cell.column }

  /// The cell at an index in row-major order.
  package func cell(at index: Int) -> Cell { Cell(row: index / columns, column: index % columns) }
}

/// The indices, in row-major order, of the cells of one line that can win.
struct LineIndices {
  let start: Int
  let step: Int

  subscript(offset: Int) -> Int { start + offset * step }
}

extension BoardShape {
  /// All lines of `inARow` cells; none if the board is too small.
  ///
  /// There are up to 1,444 lines: 19 × 19 with 1 in a row.
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
