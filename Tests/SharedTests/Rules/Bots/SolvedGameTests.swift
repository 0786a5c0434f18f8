import TestSupport
import Testing

@testable import Shared

/// The bot on 3 × 3, which is solved completely.
@Suite struct SolvedGameTests {
  private static let games = [GameInfo.ticTacToe, .misere]

  private func bestMoves(on board: Board) throws -> [Cell] {
    let game = board.rules == .misere ? SolvedGame.misere : .ticTacToe
    let turn = try #require(board.turn)
    return try #require(game.bestMoves(on: board, for: turn))
  }

  @Test(arguments: games, Mark.allCases)
  func `no reply to any of its moves beats the bot`(game: GameInfo, bot: Mark) throws {
    var seen: Set<[String]> = []
    var ends: Set<Mark?> = []
    func walk(_ board: Board) throws {
      guard seen.insert(board.rows).inserted else { return }
      guard let turn = board.turn else {
        ends.insert(board.outcome?.winner)
        return
      }
      for cell in turn == bot ? try bestMoves(on: board) : board.freeCells {
        var next = board
        _ = try next.place(turn, at: cell)
        try walk(next)
      }
    }
    try walk(game.board)
    #expect(ends == [bot, nil], "it wins or draws, and does both")
  }

  @Test(arguments: games)
  func `in every position its moves are those of a plain search`(game: GameInfo) throws {
    var worths: [[String]: Int] = [:]
    /// The value for the side to move: the sooner the end, the farther from 0.
    func worth(of board: Board) throws -> Int {
      if let known = worths[board.rows] { return known }
      guard let turn = board.turn else {
        return board.outcome?.winner == nil ? 0 : game == .misere ? 100 : -100
      }
      var moves: [(cell: Cell, worth: Int)] = []
      for cell in board.freeCells {
        var next = board
        _ = try next.place(turn, at: cell)
        let loss = try worth(of: next)
        moves.append((cell, loss < 0 ? -loss - 1 : loss > 0 ? 1 - loss : 0))
      }
      let best = moves.map(\.worth).max() ?? 0
      let cells = moves.filter { $0.worth == best }.map(\.cell)
      #expect(try bestMoves(on: board) == cells, "\(board.rows)")
      worths[board.rows] = best
      return best
    }
    #expect(try worth(of: game.board) == 0)
    #expect(worths.count == 4520, "all positions of games that run")
  }

  @Test func `all openings are equally good`() throws {
    #expect(try bestMoves(on: Board(.ticTacToe)).count == 9)
  }

  @Test func `it wins as soon as possible`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["XX.", "O.O", "X.."], turn: .o))
    #expect(try bestMoves(on: board) == [Cell(row: 1, column: 1)])
  }

  @Test func `a position that no game reaches can also be played`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["XX.", "...", "..."], turn: .x))
    #expect(SolvedGame.ticTacToe.bestMoves(on: board, for: .x) == nil)
    #expect(Strategy().move(on: board, seed: 1) == Cell(row: 0, column: 2))
  }

  @Test func `with fewer plies it sees wins and losses that are near, and no others`() throws {
    // X can make a fork.
    let board = try #require(Board(.ticTacToe, rows: ["X..", ".O.", "..X"], turn: .o))
    func moves(_ plies: Int) -> [Cell]? {
      SolvedGame.ticTacToe.bestMoves(on: board, for: .o, within: plies)
    }
    #expect(moves(3) == board.freeCells)
    #expect(moves(4)?.count == 4, "a corner lets X make a fork")
  }

  @Test func `the seed decides its games, and seeds differ`() throws {
    let games = try (0..<50).map { try Self.game(seed: $0) }
    #expect(try games == (0..<50).map { try Self.game(seed: $0) })
    #expect(Set(games).count > 40)
    #expect(Set(games.map(\.first)).count == 9)
  }

  private static func game(seed: UInt64) throws -> [Cell] {
    let random = RandomSource(SeededGenerator(seed: seed))
    var board = Board(.ticTacToe)
    var cells: [Cell] = []
    while let turn = board.turn {
      let cell = Strategy().move(on: board, using: random)
      _ = try board.place(turn, at: cell)
      cells.append(cell)
    }
    #expect(board.outcome == Outcome(winner: nil, reason: .full))
    return cells
  }
}
