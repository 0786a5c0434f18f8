import Shared
import Testing

/// Whole games of __TITLE__.
@Suite struct __NAME__Tests {
  @Test func `X wins with a full row`() throws {
    let shape = GameInfo.__name__.shape
    var board = GameInfo.__name__.board
    for column in 0..<shape.inARow {
      _ = try board.place(.x, at: Cell(row: 0, column: column))
      guard column < shape.inARow - 1 else { break }
      _ = try board.place(.o, at: Cell(row: shape.rows - 1, column: column))
    }
    #expect(board.outcome?.winner == .x)
    #expect(board.outcome?.line == (0..<shape.inARow).map { Cell(row: 0, column: $0) })
  }

  @Test func `a taken cell is refused`() throws {
    var board = GameInfo.__name__.board
    _ = try board.place(.x, at: Cell(row: 0, column: 0))
    #expect(throws: MoveError.cellTaken) { try board.place(.o, at: Cell(row: 0, column: 0)) }
  }
}
