/// How the bot plays: perfectly on 3 × 3, well on other boards. The cost of a move is bounded,
/// because the bot runs on the shared event loop.
package struct Strategy: Sendable {
  package init() {}

  /// Returns a move for the side whose turn it is, chosen at random among the best.
  ///
  /// The game must not be over.
  package func move(on board: Board, using random: some RandomNumberGenerator & AnyObject) -> Cell {
    var random = random
    let moves = bestMoves(on: board)
    return moves[Int.random(in: moves.indices, using: &random)]
  }

  /// Returns the best moves, in row-major order; there is at least one.
  ///
  /// On 3 × 3 these are the moves that win soonest, else those that draw, else those that lose
  /// latest. For other boards see `MoveEvaluator`. The game must not be over.
  package func bestMoves(on board: Board) -> [Cell] {
    guard let turn = board.turn else {
      preconditionFailure("The bot was asked for a move after the game was over.")
    }
    let solved =
      board.shape == .ticTacToe ? SolvedGame.ticTacToe.bestMoves(on: board, for: turn) : nil
    let moves = solved ?? MoveEvaluator(for: turn, on: board).bestMoves
    precondition(!moves.isEmpty, "The bot has no free cell.")
    return moves
  }
}
