import Shared
import Testing

@testable import Client

@Suite struct BoardDrawingTests {
  private func text(of board: Board) -> String {
    BoardDrawing.text(
      of: board, in: GameInfo(id: "game", name: "Game", shape: board.shape, rules: board.rules))
  }

  @Test func `an empty board of three by three`() {
    #expect(
      text(of: Board(.ticTacToe)) == """
         1 | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        """)
  }

  @Test func `gomoku fits into a usual terminal`() {
    let lines = BoardDrawing.text(of: Board(.gomoku), in: .gomoku).split(separator: "\n")
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.count == 59 })
    #expect(lines[6].hasPrefix(" 91| 92|"))
    #expect(lines[6].hasSuffix("|104|105"))
  }

  @Test func `marks replace the numbers`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["X.O", ".X.", "..."], turn: .o))
    #expect(
      text(of: board) == """
         X | 2 | O
        ---+---+---
         4 | X | 6
        ---+---+---
         7 | 8 | 9
        """)
  }

  @Test func `a board of four by four with numbers of two digits`() throws {
    let shape = try #require(BoardShape(rows: 4, columns: 4, inARow: 4))
    let rows = ["X...", ".O..", "....", "...X"]
    let board = try #require(Board(shape, rows: rows, turn: .o))
    #expect(
      text(of: board) == """
          X |  2 |  3 |  4
        ----+----+----+----
          5 |  O |  7 |  8
        ----+----+----+----
          9 | 10 | 11 | 12
        ----+----+----+----
         13 | 14 | 15 |  X
        """)
  }

  @Test func `a board of one cell`() throws {
    let shape = try #require(BoardShape(rows: 1, columns: 1, inARow: 1))
    #expect(text(of: Board(shape)) == " 1")
  }

  @Test func `a board of one row and a board of one column`() throws {
    let row = try #require(BoardShape(rows: 1, columns: 3, inARow: 3))
    let column = try #require(BoardShape(rows: 2, columns: 1, inARow: 2))
    #expect(text(of: Board(row)) == " 1 | 2 | 3")
    #expect(text(of: Board(column)) == " 1\n---\n 2")
  }

  @Test func `the lines of the largest board have equal lengths`() throws {
    let shape = try #require(BoardShape(rows: 19, columns: 19, inARow: 5))
    let lines = text(of: Board(shape)).split(separator: "\n")
    #expect(lines.count == 19)
    #expect(lines.first?.hasPrefix("  1|  2|  3|") == true)
    #expect(lines.last?.hasSuffix("|360|361") == true)
    #expect(Set(lines.map(\.count)) == [75])
  }

  @Test func `an open cell of connect shows the number of its column`() throws {
    var board = GameInfo.connect.board
    _ = try board.place(.x, at: Cell(row: 5, column: 2))
    let lines = text(of: board).split(separator: "\n")
    #expect(
      lines.suffix(3) == [
        " . | . | 3 | . | . | . | .", "---+---+---+---+---+---+---",
        " 1 | 2 | X | 4 | 5 | 6 | 7",
      ])
  }

  @Test func `ultimate has double lines between its boards`() throws {
    var board = GameInfo.ultimate.board
    _ = try board.place(.x, at: Cell(row: 0, column: 2))
    let lines = text(of: board).split(separator: "\n")
    #expect(lines.count == 17)
    #expect(lines[0] == "  . |  . |  X ||  . |  . |  . ||  7 |  8 |  9")
    #expect(lines[1] == "----+----+----++----+----+----++----+----+----")
    #expect(lines[5] == "====+====+====++====+====+====++====+====+====")
  }
}
