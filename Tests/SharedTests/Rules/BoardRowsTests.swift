import Shared
import TestSupport
import Testing

/// The board as on the wire: its rows and its hash.
@Suite struct BoardRowsTests {
  @Test(arguments: BoardShape.samples)
  func `a board can be made from its rows`(shape: BoardShape) throws {
    var random = SeededGenerator(seed: 2)
    var board = Board(shape)
    for _ in 0..<shape.cellCount / 2 {
      guard let turn = board.turn, let cell = board.freeCells.randomElement(using: &random)
      else { break }
      _ = try board.place(turn, at: cell)
      let copy = try #require(Board(shape, rows: board.rows, turn: board.turn))
      #expect(copy.rows == board.rows)
      #expect(copy.hash == board.hash)
      #expect(copy.turn == board.turn)
      #expect(copy.freeCells == board.freeCells)
    }
  }

  @Test(arguments: [
    [], ["...", "..."], ["...", "...", "...", "..."], ["...", "..", "..."], ["...", "....", "..."],
    ["...", ".x.", "..."], ["...", ". .", "..."], ["...", ".é", "..."], ["...", ".\0.", "..."],
  ])
  func `rows that do not fit the shape are refused`(rows: [String]) {
    #expect(Board(.ticTacToe, rows: rows, turn: .x) == nil)
  }

  @Test func `the hash is that of the protocol`() {
    let one = Board(.ticTacToe, rows: ["...", ".X.", "..."], turn: .o)
    #expect(one?.hash == 0xafa6_87df)
    let three = Board(.ticTacToe, rows: ["X.O", ".X.", "..."], turn: .o)
    #expect(three?.hash == 0x8590_f1b2)
  }

  @Test func `the same letters in other rows have a different hash`() throws {
    let wide = try #require(BoardShape(rows: 2, columns: 3, inARow: 2))
    let high = try #require(BoardShape(rows: 3, columns: 2, inARow: 2))
    #expect(Board(wide).hash != Board(high).hash)
  }
}
