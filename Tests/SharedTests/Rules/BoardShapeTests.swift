import Shared
import Testing

@Suite struct BoardShapeTests {
  @Test(arguments: [
    (0, 3, 3), (3, 0, 3), (20, 3, 3), (3, 20, 3), (3, 3, 0), (-1, 3, 3), (3, 3, -1),
  ])
  func `a shape that no board has is refused`(rows: Int, columns: Int, inARow: Int) {
    #expect(BoardShape(rows: rows, columns: columns, inARow: inARow) == nil)
  }

  @Test(arguments: BoardShape.samples)
  func `indices count the cells row by row`(shape: BoardShape) {
    var place = 0
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        let cell = Cell(row: row, column: column)
        #expect(shape.index(of: cell) == place)
        #expect(shape.cell(at: place) == cell)
        #expect(shape.contains(cell))
        place += 1
      }
    }
    #expect(place == shape.cellCount)
  }

  @Test func `the standard game is 3 × 3 with 3 in a row`() {
    #expect(BoardShape.ticTacToe == BoardShape(rows: 3, columns: 3, inARow: 3))
  }
}

extension BoardShape {
  /// The shapes that tests use, as rows, columns and marks in a row: square and not square, with
  /// one cell, with one row, with lines that no game can complete.
  static let samples: [BoardShape] = [
    (3, 3, 3), (4, 4, 4), (5, 4, 3), (4, 5, 4), (2, 3, 2), (3, 3, 2), (3, 3, 1), (1, 1, 1),
    (1, 9, 3), (9, 1, 3), (2, 2, 5), (3, 3, .max), (19, 19, 5),
  ].compactMap { BoardShape(rows: $0, columns: $1, inARow: $2) }
}
