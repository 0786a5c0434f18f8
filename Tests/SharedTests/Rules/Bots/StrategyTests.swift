import TestSupport
import Testing

@testable import Shared

/// The bot at all levels. Searches get few nodes, so that a debug build is quick.
@Suite struct StrategyTests {
  @Test(arguments: GameInfo.all, BotLevel.allCases)
  func `each of its moves is legal`(game: GameInfo, level: BotLevel) throws {
    let bot = Strategy(level: level, maxNodes: 25)
    for seed in 0..<UInt64(2) {
      var random = SeededGenerator(seed: seed)
      var board = game.board
      while let turn = board.turn {
        // Half of the moves are random, so that the bot meets positions that it would avoid.
        let chance = try #require(board.openCells.randomElement(using: &random))
        let cell = random.next() % 2 == 0 ? chance : bot.move(on: board, seed: random.next())
        _ = try board.place(turn, at: cell)
      }
      #expect(board.outcome != nil)
    }
  }

  @Test(arguments: GameInfo.all, BotLevel.allCases)
  func `the seed decides its moves`(game: GameInfo, level: BotLevel) throws {
    let bot = Strategy(level: level, maxNodes: 40)
    func cells(seed: UInt64) throws -> [Cell] {
      let random = RandomSource(SeededGenerator(seed: seed))
      var board = game.board
      var cells: [Cell] = []
      while let turn = board.turn, cells.count < 12 {
        cells.append(bot.move(on: board, using: random))
        _ = try board.place(turn, at: cells[cells.count - 1])
      }
      return cells
    }
    let games = try (1...4).map { try cells(seed: $0) }
    #expect(try games == (1...4).map { try cells(seed: $0) })
    #expect(Set(games).count > 1, "and seeds differ")
  }

  @Test(arguments: [GameInfo.four, .gomoku, .connect, .ultimate])
  func `a search that is cancelled ends with a legal move`(game: GameInfo) {
    var polls = 0
    let cell = Strategy(level: .hard).move(on: game.board, seed: 1) {
      polls += 1
      return true
    }
    #expect(game.board.isOpen(cell))
    #expect(polls == 1)
  }

  @Test(arguments: GameInfo.all)
  func `only hard thoughts about large games are slow`(game: GameInfo) {
    let isSolved = game.shape == .ticTacToe
    #expect(!Strategy(level: .easy).isSlow(on: game.board))
    #expect(!Strategy(level: .medium).isSlow(on: game.board))
    #expect(Strategy(level: .hard).isSlow(on: game.board) == !isSolved)
    #expect(Strategy.quick(on: game.board).level == (isSolved ? .hard : .medium))
  }

  @Test(arguments: [
    (1, 1, 1), (1, 1, 2), (1, 19, 5), (19, 1, 5), (2, 2, 5), (2, 3, 2), (3, 3, .max), (7, 7, 1),
    (8, 8, 8), (5, 5, 5), (4, 4, 4), (5, 4, 4), (19, 2, 4), (2, 19, 4),
  ])
  func `it finds a free cell on any board`(rows: Int, columns: Int, inARow: Int) throws {
    let shape = try #require(BoardShape(rows: rows, columns: columns, inARow: inARow))
    let random = RandomSource(SeededGenerator(seed: 5))
    var board = Board(shape)
    while let turn = board.turn {
      let bot = Strategy(maxNodes: 50)
      _ = try board.place(turn, at: bot.move(on: board, using: random))
    }
    #expect(board.outcome != nil)
  }

  @Test(arguments: Mark.allCases)
  func `medium always beats a player that moves at random at gomoku`(mark: Mark) throws {
    for seed in 0..<UInt64(5) {
      let bot = Strategy(level: .medium, maxNodes: 0)
      let players = mark == .x ? [bot, nil] : [nil, bot]
      #expect(try Self.winner(.gomoku, players, seed: seed) == mark)
    }
  }

  // MARK: - Tournaments

  @Test func `random moves win 1 of 10 against easy at tictactoe, but far fewer than it`() throws {
    let (wins, losses) = try Self.results(.ticTacToe, Strategy(level: .easy), nil, games: 300)
    #expect(losses >= 30)
    #expect(wins >= 3 * losses)
  }

  @Test(arguments: [GameInfo.ticTacToe, .misere])
  func `on 3 × 3 each level beats the one below`(game: GameInfo) throws {
    let levels = BotLevel.allCases.map { Strategy(level: $0) }
    for (weaker, stronger) in zip([nil] + levels, levels) {
      let (wins, losses) = try Self.results(game, stronger, weaker, games: 300)
      #expect(wins >= 3 * max(losses, 1), "\(stronger.level): \(wins) won, \(losses) lost")
      if stronger.level == .hard { #expect(losses == 0) }
    }
  }

  /// The nodes keep the order of the levels, but are far fewer.
  @Test(arguments: [
    (GameInfo.connect, 10, 100, 1_000), (.gomoku, 0, 0, 2_000), (.ultimate, 8, 30, 150),
  ])
  func `more nodes beat fewer`(game: GameInfo, easy: Int, medium: Int, hard: Int) throws {
    let levels = [
      Strategy(level: .easy, maxNodes: easy), Strategy(level: .medium, maxNodes: medium),
      Strategy(level: .hard, maxNodes: hard),
    ]
    for (weaker, stronger) in zip([nil] + levels, levels) {
      let (wins, losses) = try Self.results(game, stronger, weaker, games: 4)
      #expect(wins >= 3 * max(losses, 1), "\(stronger.level): \(wins) won, \(losses) lost")
    }
  }

  /// How many games a player wins and loses against another, with X in every second game. `nil`
  /// moves at random.
  private static func results(
    _ game: GameInfo, _ one: Strategy, _ other: Strategy?, games: Int
  ) throws -> (wins: Int, losses: Int) {
    var (wins, losses) = (0, 0)
    for number in 0..<games {
      let mark: Mark = number % 2 == 0 ? .x : .o
      let players = mark == .x ? [one, other] : [other, one]
      switch try winner(game, players, seed: UInt64(number)) {
      case mark: wins += 1
      case mark.other: losses += 1
      default: break
      }
    }
    return (wins, losses)
  }

  private static func winner(
    _ game: GameInfo, _ players: [Strategy?], seed: UInt64
  ) throws -> Mark? {
    var random = SeededGenerator(seed: seed)
    var board = game.board
    while let turn = board.turn {
      let cell: Cell
      if let player = players[turn == .x ? 0 : 1] {
        cell = player.move(on: board, seed: random.next())
      } else {
        cell = try #require(board.openCells.randomElement(using: &random))
      }
      _ = try board.place(turn, at: cell)
    }
    return board.outcome?.winner
  }
}
