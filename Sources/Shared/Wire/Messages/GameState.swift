/// A game as `gameDidStart` and `matchSnapshot` tell it.
package struct GameState: Equatable, Sendable {
  /// The id of the game.
  package let game: String
  /// The receiver's mark; `nil` for a spectator, and in a line that is not anybody's copy yet.
  package let you: Mark?
  /// The names of the players.
  package let players: PerMark<String>
  /// Its shape, marks and turn are told; that it is over is not, so what a client reads has no
  /// `outcome`.
  package let board: Board
  package let score: Score
  /// The time for the next move; `nil` where it is not limited.
  package let left: Duration?

  package init(
    game: String, you: Mark? = nil, players: PerMark<String>, board: Board, score: Score,
    left: Duration? = nil
  ) {
    self.game = game
    self.you = you
    self.players = players
    self.board = board
    self.score = score
    self.left = left
  }
}
