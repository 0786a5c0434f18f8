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

  @Test func `gomoku fits into a usual terminal`() throws {
    var board = Board(.gomoku)
    _ = try board.place(.x, at: Cell(row: 7, column: 7))
    let text = BoardDrawing.text(of: board, in: .gomoku, lastMove: Cell(row: 7, column: 7))
    let lines = text.split(separator: "\n")
    #expect(lines.count == 16)
    #expect(lines[0] == "   a b c d e f g h i j k l m n o")
    #expect(lines[1] == " 1 . . . . . . . . . . . . . . .")
    #expect(lines[8] == " 8 . . . . . . .(X). . . . . . .")
    #expect(lines[15] == "15 . . . . . . . . . . . . . . .")
  }

  @Test func `the last move is marked at every edge`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["X..", "...", "..O"], turn: .x))
    func lines(_ cell: Cell) -> [Substring] {
      BoardDrawing.text(of: board, in: .ticTacToe, lastMove: cell).split(separator: "\n")
    }
    #expect(lines(Cell(row: 0, column: 0))[0] == "(X)| 2 | 3")
    #expect(lines(Cell(row: 2, column: 2))[4] == " 7 | 8 |(O)")
    var large = Board(.gomoku)
    for column in [14, 0] {
      let cell = Cell(row: 0, column: column)
      _ = try large.place(large.turn ?? .x, at: cell)
      let line = BoardDrawing.text(of: large, in: .gomoku, lastMove: cell).split(separator: "\n")[1]
      #expect(column == 14 ? line.hasSuffix(" .(X)") : line.hasPrefix(" 1(O). ."))
    }
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

  @Test func `a board of four by four has letters and numbers`() throws {
    let shape = try #require(BoardShape(rows: 4, columns: 4, inARow: 4))
    let rows = ["X...", ".O..", "....", "...X"]
    let board = try #require(Board(shape, rows: rows, turn: .o))
    #expect(
      text(of: board) == """
          a   b   c   d
        1 X | . | . | .
         ---+---+---+---
        2 . | O | . | .
         ---+---+---+---
        3 . | . | . | .
         ---+---+---+---
        4 . | . | . | X
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
    #expect(lines.count == 20)
    #expect(lines[0].hasSuffix(" r s"))
    #expect(lines[19].hasPrefix("19 . ."))
    #expect(Set(lines.map(\.count)) == [40])
  }

  @Test func `connect has the numbers of its columns, and a dot where a mark can land`() throws {
    var board = GameInfo.connect.board
    _ = try board.place(.x, at: Cell(row: 5, column: 2))
    let lines = text(of: board).split(separator: "\n")
    #expect(lines.first == " 1   2   3   4   5   6   7")
    #expect(
      lines.suffix(3) == [
        "   |   | . |   |   |   |", "---+---+---+---+---+---+---",
        " . | . | X | . | . | . | .",
      ])
  }

  @Test func `ultimate has double lines between its boards`() throws {
    var board = GameInfo.ultimate.board
    _ = try board.place(.x, at: Cell(row: 0, column: 2))
    let lines = text(of: board).split(separator: "\n")
    #expect(lines.count == 18)
    #expect(lines[0] == "  a   b   c    d   e   f    g   h   i")
    #expect(lines[1] == "1   |   | X ||   |   |   || . | . | .")
    #expect(lines[2] == " ---+---+---++---+---+---++---+---+---")
    #expect(lines[6] == " ===+===+===++===+===+===++===+===+===")
  }
}
