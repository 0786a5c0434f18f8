import Testing

@testable import Shared

struct CellLabelTests {
  @Test func `a label is the letter of the column and the number of the row`() {
    #expect(Cell(row: 0, column: 0).label == "a1")
    #expect(Cell(row: 7, column: 7).label == "h8")
    #expect(Cell(row: 14, column: 2).label == "c15")
    #expect(Cell(row: 18, column: 18).label == "s19")
  }

  @Test func `every cell of the largest board is read back from its label`() throws {
    let side = BoardShape.maxSide
    let shape = try #require(BoardShape(rows: side, columns: side, inARow: 5))
    for cell in (0..<shape.cellCount).map(shape.cell(at:)) {
      #expect(Cell(label: cell.label) == cell)
      #expect(Cell(label: cell.label.uppercased()) == cell)
    }
  }

  @Test func `a cell off the board has a label to read`() {
    #expect(Cell(label: "z99") == Cell(row: 98, column: 25))
  }

  @Test(arguments: [
    "", "a", "1", "11", "a0", "a01", "aa", "aa1", "a1b", "a+1", "a-1", "a 1", " a1", "a1 ",
    "a100", "é1", "а1", "a１", "@1", "[1", "`1", "{1",
  ])
  func `any other text is no label`(_ text: String) {
    #expect(Cell(label: text) == nil)
  }
}
