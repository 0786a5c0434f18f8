import Shared
import Testing

@Suite struct BoardTests {
  @Test func `a taken cell is refused`() throws {
    var board = Board(.ticTacToe)
    _ = try board.place(.x, at: Cell(row: 1, column: 1))
    #expect(throws: Refusal.cellTaken) { try board.place(.o, at: Cell(row: 1, column: 1)) }
  }

  @Test func `the hash is the protocol's`() {
    let board = Board(.ticTacToe, rows: ["X.O", ".X.", "..."], turn: .o)
    #expect(board?.hash == 0x8590_f1b2)
  }
}
