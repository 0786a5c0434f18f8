import Shared
import TestSupport
import Testing

@Suite struct BoardTests {
  private let center = Cell(row: 1, column: 1)

  @Test func `X moves first on an empty board`() {
    let board = Board(.ticTacToe)
    #expect(board.turn == .x)
    #expect(board.outcome == nil)
    #expect(board.freeCells.count == 9)
    #expect(board.rows == ["...", "...", "..."])
  }

  @Test func `a move changes the cell, the turn and nothing else`() throws {
    var board = Board(.ticTacToe)
    let change = try board.place(.x, at: center)
    #expect(change == Change(Placement(cell: center, mark: .x), turn: .o, hash: board.hash))
    #expect(board[center] == .x)
    #expect(board.rows == ["...", ".X.", "..."])
    #expect(board.turn == .o)
    #expect(board.outcome == nil)
  }

  @Test func `a board knows the last mark, whoever put it there`() throws {
    var board = Board(.ticTacToe)
    #expect(board.lastMove == nil)
    let first = try board.place(.x, at: center)
    #expect(board.lastMove == first.placement)
    #expect(throws: MoveError.cellTaken) { try board.place(.o, at: center) }
    #expect(board.lastMove == first.placement)
    var copy = Board(.ticTacToe)
    let isApplied = copy.apply(first)
    #expect(isApplied)
    #expect(copy.lastMove == first.placement)
    board.end(.resigned, by: .o)
    #expect(board.lastMove == first.placement)
    var connect = Board(.connect, rules: .connect)
    let drop = try connect.place(.x, at: Cell(row: 5, column: 3))
    #expect(connect.lastMove == drop.placement)
  }

  @Test func `a copy of a remote board takes only a last move that it shows`() {
    func board(_ row: Int, _ column: Int, _ mark: Mark) -> Board? {
      Board(
        .ticTacToe, rows: ["X..", ".O.", "..."], turn: .x,
        lastMove: Placement(cell: Cell(row: row, column: column), mark: mark))
    }
    #expect(board(1, 1, .o)?.lastMove == Placement(cell: center, mark: .o))
    #expect(board(1, 1, .x) == nil)
    #expect(board(2, 2, .o) == nil)
    #expect(board(3, 0, .o) == nil)
    #expect(board(0, -1, .x) == nil)
  }

  @Test func `a taken cell is refused`() throws {
    var board = Board(.ticTacToe)
    _ = try board.place(.x, at: center)
    expect(.cellTaken, from: &board, placing: .o, at: center)
  }

  @Test(arguments: [(-1, 0), (0, -1), (3, 0), (0, 3), (.min, .max)])
  func `a cell off the board is refused`(row: Int, column: Int) {
    var board = Board(.ticTacToe)
    expect(.outOfBoard, from: &board, placing: .x, at: Cell(row: row, column: column))
  }

  @Test func `a move out of turn is refused on any cell`() throws {
    var board = Board(.ticTacToe)
    _ = try board.place(.x, at: center)
    for cell in [center, Cell(row: 0, column: 0), Cell(row: 9, column: 9)] {
      expect(.notYourTurn, from: &board, placing: .x, at: cell)
    }
  }

  @Test func `any move after the end is refused`() {
    var board = Board(.ticTacToe)
    board.end(.resigned, by: .x)
    for mark in Mark.allCases {
      for cell in [center, Cell(row: 9, column: 9)] {
        expect(.noGame, from: &board, placing: mark, at: cell)
      }
    }
  }

  @Test(arguments: [Outcome.Reason.resigned, .timeout, .abandoned, .left], Mark.allCases)
  func `a player who ends a game without a line loses it`(reason: Outcome.Reason, loser: Mark) {
    var board = Board(.ticTacToe)
    board.end(reason, by: loser)
    #expect(board.turn == nil)
    #expect(board.outcome == Outcome(winner: loser.other, reason: reason))
    board.end(.left, by: loser.other)
    #expect(board.outcome == Outcome(winner: loser.other, reason: reason), "an end is final")
  }

  @Test(arguments: BoardShape.samples)
  func `a copy that applies each change is the same board`(shape: BoardShape) throws {
    var random = SeededGenerator(seed: 1)
    var board = Board(shape)
    var copy = Board(shape)
    while let turn = board.turn, let cell = board.freeCells.randomElement(using: &random) {
      let change = try board.place(turn, at: cell)
      let isApplied = copy.apply(change)
      #expect(isApplied)
      #expect(copy.rows == board.rows)
      #expect(copy.turn == board.turn)
      #expect(copy.hash == change.hash)
      #expect(board.outcome != nil || copy == board)
    }
  }

  @Test func `a change with a cell outside of the board is not applied`() {
    var board = Board(.ticTacToe)
    let inside = Placement(cell: center, mark: .x)
    let outside = Placement(cell: Cell(row: 3, column: 0), mark: .x)
    let answers = [
      board.apply(Change(outside, turn: .o, hash: 0)),
      board.apply(Change(inside, turn: .o, open: [center, outside.cell], hash: 0)),
    ]
    #expect(answers == [false, false])
    #expect(board == Board(.ticTacToe))
    let isApplied = board.apply(Change(inside, turn: nil, hash: 0))
    #expect(isApplied)
    #expect(board.rows == ["...", ".X.", "..."])
    #expect(board.turn == nil)
  }

  private func expect(
    _ refusal: MoveError, from board: inout Board, placing mark: Mark, at cell: Cell,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = board
    #expect(throws: refusal, sourceLocation: sourceLocation) {
      try board.place(mark, at: cell)
    }
    #expect(board == before, "a refused move changes nothing", sourceLocation: sourceLocation)
  }
}
