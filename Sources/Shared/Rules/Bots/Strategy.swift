/// How well the bot plays. The raw values are those of the wire and of command lines.
package enum BotLevel: String, CaseIterable, Sendable {
  /// A child can beat it: it takes most wins, but looks at little else and often moves at random.
  case easy
  /// It sees a few moves ahead.
  case medium
  /// Perfect on 3 × 3, and as strong as about a second of thinking makes it elsewhere.
  case hard
}

/// How the bot plays: a value without state, so that any thread can ask it for a move. The random
/// source decides everything else, because the search is bounded by nodes and not by time.
package struct Strategy: Sendable {
  package let level: BotLevel
  /// The most nodes or playouts of a search; `nil` for those of the level.
  private let maxNodes: Int?

  /// `maxNodes` is for tests, which need a quick search. On 3 × 3 it is how many moves ahead the
  /// bot sees.
  package init(level: BotLevel = .hard, maxNodes: Int? = nil) {
    self.level = level
    self.maxNodes = maxNodes
  }

  /// The strongest strategy that takes less than a millisecond for a move, and so may run on the
  /// event loop.
  package static func quick(on board: Board) -> Strategy {
    Strategy(level: BotLevel.allCases.last { !Engine(for: board).isSlow($0) } ?? .easy)
  }

  /// Whether a move on such a board may take more than a millisecond.
  package func isSlow(on board: Board) -> Bool {
    Engine(for: board).isSlow(level)
  }

  /// Whether the bot does not move at once: it searches, or takes the time that a person would
  /// take, so that a beginner sees what has happened.
  package func takesTime(on board: Board) -> Bool { level != .hard || isSlow(on: board) }

  /// Returns a move for the side whose turn it is. The game must not be over.
  ///
  /// A long search calls `isCancelled` now and then, on the same thread. Once that returns `true`,
  /// the best move so far is returned.
  package func move(
    on board: Board, using random: some RandomNumberGenerator & AnyObject,
    isCancelled: @escaping () -> Bool = { false }
  ) -> Cell {
    var random = random
    return move(on: board, from: &random, isCancelled: isCancelled)
  }

  /// Returns the move that a seed decides: for a helper thread, which cannot share a random source.
  package func move(
    on board: Board, seed: UInt64, isCancelled: @escaping () -> Bool = { false }
  ) -> Cell {
    var random = SplitMix64(seed: seed)
    return move(on: board, from: &random, isCancelled: isCancelled)
  }

  private func move(
    on board: Board, from random: inout some RandomNumberGenerator,
    isCancelled: @escaping () -> Bool
  ) -> Cell {
    guard let turn = board.turn else {
      preconditionFailure("The bot was asked for a move after the game was over.")
    }
    let engine = Engine(for: board)
    if level == .easy {
      if let win = winningMove(on: board), Double.random(in: 0..<1, using: &random) < Self.sight {
        return win
      }
      let isSlip = Double.random(in: 0..<1, using: &random) < engine.slips
      if isSlip, let cell = board.openCells.randomElement(using: &random) { return cell }
    }
    let maxNodes = maxNodes ?? engine.maxNodes(level)
    switch engine {
    case .solved(let game):
      if let moves = game.bestMoves(on: board, for: turn, within: maxNodes) {
        return pick(moves, from: &random)
      }
    case .fourInARow:
      var search = FourInARowSearch(board, for: turn, maxNodes: maxNodes, isCancelled: isCancelled)
      return search.bestMove(using: &random).cell
    case .gomoku where maxNodes > 0:
      var search = GomokuSearch(board, for: turn, maxNodes: maxNodes, isCancelled: isCancelled)
      return search.bestMove(using: &random)
    case .ultimate:
      var search = UltimateSearch(board, for: turn, maxNodes: maxNodes, isCancelled: isCancelled)
      return search.bestMove(using: &random)
    case .gomoku, .evaluator: break
    }
    return pick(MoveEvaluator(for: turn, on: board).bestMoves, from: &random)
  }

  /// How often `easy` takes a win that it has.
  private static let sight = 0.8

  private func winningMove(on board: Board) -> Cell? {
    board.openCells.first { cell in
      var next = board
      do throws(MoveError) {
        guard let turn = board.turn else { return false }
        _ = try next.place(turn, at: cell)
      } catch {
        preconditionFailure("An open cell was refused: \(error).")
      }
      return next.outcome?.winner == board.turn
    }
  }

  private func pick(_ moves: [Cell], from random: inout some RandomNumberGenerator) -> Cell {
    precondition(!moves.isEmpty, "The bot has no open cell.")
    return moves[Int.random(in: moves.indices, using: &random)]
  }
}

/// The engine for a game, and what each level may ask of it.
private enum Engine {
  case solved(SolvedGame)
  case fourInARow
  case gomoku
  case ultimate
  /// `MoveEvaluator`, for any other board.
  case evaluator

  init(for board: Board) {
    if board.rules == .ultimate {
      self = .ultimate
    } else if board.shape == .ticTacToe, board.rules == .line {
      self = .solved(.ticTacToe)
    } else if board.shape == .ticTacToe, board.rules == .misere {
      self = .solved(.misere)
    } else if FourInARowSearch.canPlay(board) {
      self = .fourInARow
    } else if GomokuSearch.canPlay(board) {
      self = .gomoku
    } else {
      self = .evaluator
    }
  }

  /// The most nodes of a search or playouts; for a solved game, how many moves ahead the bot sees.
  func maxNodes(_ level: BotLevel) -> Int {
    switch (self, level) {
    case (.solved(let game), .easy): game.lineWins ? 2 : 3
    case (.solved(let game), .medium): game.lineWins ? 3 : 7
    case (.solved, .hard): 9
    case (.fourInARow, .easy): 30
    case (.fourInARow, .medium): 2_000
    case (.fourInARow, .hard): 5_000_000
    // Without nodes, `MoveEvaluator` plays.
    case (.gomoku, .easy): 0
    case (.gomoku, .medium): 300
    case (.gomoku, .hard): 300_000
    case (.ultimate, .easy): 30
    case (.ultimate, .medium): 400
    case (.ultimate, .hard): 500_000
    case (.evaluator, _): 0
    }
  }

  /// How often `easy` moves at random.
  var slips: Double {
    switch self {
    case .solved(let game): game.lineWins ? 0.4 : 0.1
    case .fourInARow, .gomoku, .ultimate, .evaluator: 0.5
    }
  }

  func isSlow(_ level: BotLevel) -> Bool {
    switch self {
    case .solved, .evaluator: false
    case .fourInARow, .gomoku, .ultimate: level == .hard
    }
  }
}
