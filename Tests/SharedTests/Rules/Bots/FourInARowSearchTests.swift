import TestSupport
import Testing

@testable import Shared

/// The engine of `connect` and `four`.
@Suite struct FourInARowSearchTests {
  /// Positions of Pascal Pons' benchmark of solvers, as the columns of the moves so far, from 1 on,
  /// with the result for the side to move.
  @Test(arguments: [
    ("2252576253462244111563365343671351441", -1), ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
  ])
  func `it knows the results of late positions`(columns: String, result: Int) throws {
    let board = try Self.connect(columns)
    #expect(try Self.resultOfPlay(from: board) == result)
  }

  @Test func `it takes a win in one`() throws {
    let board = try Self.connect("112233")
    #expect(try Self.move(on: board).cell == Cell(row: 5, column: 3))
  }

  @Test func `it blocks a loss in one`() throws {
    let board = try Self.connect("11223")
    #expect(try Self.move(on: board).cell == Cell(row: 5, column: 3))
  }

  @Test func `it prefers a win to a block`() throws {
    let board = try Self.connect("171717")
    #expect(try Self.move(on: board).cell == Cell(row: 2, column: 0))
  }

  @Test func `it does not let an open three arise`() throws {
    // X has two marks side by side in the lowest row; a third with space at both ends wins.
    let board = try Self.connect("4455")
    #expect(board.turn == .x)
    #expect(try Self.move(on: board).value > 0)
    let other = try Self.connect("445")
    #expect([2, 5].contains(try Self.move(on: other).cell.column))
  }

  @Test func `it makes no move that lets the other side win at once`() throws {
    var random = SeededGenerator(seed: 3)
    var checked = 0
    while checked < 40 {
      var board = GameInfo.connect.board
      for _ in 0..<16 {
        guard let turn = board.turn, let cell = board.openCells.randomElement(using: &random)
        else { break }
        _ = try board.place(turn, at: cell)
      }
      guard board.turn != nil, try Self.wins(on: board).isEmpty else { continue }
      let safe = try board.openCells.filter { cell in
        try Self.wins(on: Self.board(board, after: cell)).isEmpty
      }
      if safe.isEmpty || safe.count == board.openCells.count { continue }
      checked += 1
      #expect(safe.contains(try Self.move(on: board, maxNodes: 50).cell), "\(board.rows)")
    }
  }

  @Test(arguments: [GameInfo.connect, .four])
  func `at the end of a game it agrees with a plain search`(game: GameInfo) throws {
    var random = SeededGenerator(seed: 1)
    var (checked, decided) = (0, 0)
    while checked < 60 {
      var board = game.board
      for _ in 0..<game.shape.cellCount - 6 {
        guard let turn = board.turn, let cell = board.openCells.randomElement(using: &random)
        else { break }
        _ = try board.place(turn, at: cell)
      }
      guard board.turn != nil else { continue }
      checked += 1
      let result = try Self.result(of: board)
      #expect(try Self.resultOfPlay(from: board) == result, "\(board.rows)")
      let cell = try Self.move(on: board, maxNodes: 100_000).cell
      #expect(try -Self.result(of: Self.board(board, after: cell)) == result, "\(board.rows)")
      if result != 0 { decided += 1 }
    }
    #expect(decided > 10)
  }

  @Test func `it draws four from its third move on`() throws {
    // 4 × 4 is a draw if nobody errs.
    var board = GameInfo.four.board
    for (row, column) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
      _ = try board.place(#require(board.turn), at: Cell(row: row, column: column))
    }
    #expect(try Self.move(on: board, maxNodes: 30_000).value == 0)
  }

  /// Plays the columns of a game of `connect`.
  private static func connect(_ columns: String) throws -> Board {
    var board = GameInfo.connect.board
    for character in columns {
      let column = try #require(character.wholeNumberValue) - 1
      let cell = try #require(board.openCells.first { $0.column == column })
      _ = try board.place(#require(board.turn), at: cell)
    }
    return board
  }

  @Test func `it stops once a move is certain to win, or the only one that does not lose`() throws {
    // Three in a row with one free end, and two in a row with four free cells beside them.
    for (moves, name) in [([1, 0, 2, 0, 3], "O blocks"), ([2, 0, 3, 0], "X makes three")] {
      var board = GameInfo.connect.board
      for column in moves { board = try Self.board(board, after: try Self.lowest(column, board)) }
      let turn = try #require(board.turn)
      var search = FourInARowSearch(board, for: turn, maxNodes: 1_000_000, isCancelled: { false })
      var random = SplitMix64(seed: 1)
      _ = search.bestMove(using: &random)
      #expect(search.limit.nodesLeft > 900_000, "\(name)")
    }
  }

  private static func lowest(_ column: Int, _ board: Board) throws -> Cell {
    try #require(board.openCells.first { $0.column == column })
  }

  private static func move(
    on board: Board, maxNodes: Int = 1_000
  ) throws -> (cell: Cell, value: Int) {
    let turn = try #require(board.turn)
    var search = FourInARowSearch(board, for: turn, maxNodes: maxNodes, isCancelled: { false })
    var random = SplitMix64(seed: 1)
    return search.bestMove(using: &random)
  }

  /// The result that the engine sees, 1 if the side to move wins. It does not look further when there
  /// is only one move, so the engine plays on until it sees the end.
  private static func resultOfPlay(from board: Board) throws -> Int {
    if let outcome = board.outcome { return outcome.winner == nil ? 0 : -1 }
    let (cell, value) = try move(on: board, maxNodes: 100_000)
    return try value == 0 ? -resultOfPlay(from: Self.board(board, after: cell)) : value.signum()
  }

  private static func board(_ board: Board, after cell: Cell) throws -> Board {
    var next = board
    _ = try next.place(#require(board.turn), at: cell)
    return next
  }

  /// The cells with which the side to move wins at once.
  private static func wins(on board: Board) throws -> [Cell] {
    try board.openCells.filter { cell in
      try Self.board(board, after: cell).outcome?.reason == .line
    }
  }

  /// 1 if the side to move wins with best play, 0 for a draw, -1 for a loss.
  private static func result(of board: Board) throws -> Int {
    if let outcome = board.outcome { return outcome.winner == nil ? 0 : -1 }
    var best = -1
    for cell in board.openCells where best < 1 {
      best = max(best, -(try result(of: Self.board(board, after: cell))))
    }
    return best
  }
}
