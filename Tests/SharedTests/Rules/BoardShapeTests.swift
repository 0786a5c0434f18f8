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
  func `places count the cells row by row`(shape: BoardShape) {
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
