/// How the bot plays: perfectly on 3 × 3, well on other boards. A pure function of board and chance,
/// and of bounded cost, as it runs on the loop that everybody shares.
package struct Strategy: Sendable {
  package init() {}

  /// The bot's move for whose turn it is, by chance among equally good ones.
  ///
  /// The game must not be over.
  package func move(on board: Board, using random: RandomSource) -> Cell {
    var random = random
    let moves = bestMoves(on: board)
    return moves[Int.random(in: moves.indices, using: &random)]
  }

  /// All moves that the bot holds for equally good, in row-major order; never empty.
  ///
  /// On 3 × 3 they are those that win soonest or, failing that, draw or, failing that, lose latest.
  /// On other boards see `MoveEvaluator`. The game must not be over.
  package func bestMoves(on board: Board) -> [Cell] {
    guard let turn = board.turn else {
      preconditionFailure("The bot is asked for a move when the game is over.")
    }
    let solved =
      board.shape == .ticTacToe ? SolvedGame.ticTacToe.bestMoves(on: board, for: turn) : nil
    let moves = solved ?? MoveEvaluator(for: turn, on: board).bestMoves
    precondition(!moves.isEmpty, "No cell is left for the bot to move to.")
    return moves
  }
}
