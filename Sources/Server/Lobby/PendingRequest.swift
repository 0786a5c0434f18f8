import Shared

/// What a waiting player wants to play. A class, for a place that holds it is copied with each move.
final class PendingRequest {
  let game: Game
  /// `nil`: anyone.
  let opponent: Session?
  /// Goes up with each request, so the least has waited longest.
  let number: Int
  /// Fires when the request is held back no longer. Until then its player is paired only with one who
  /// names that player. `nil` for a request that is not held back.
  var hold: LoopTimer?

  init(game: Game, opponent: Session?, number: Int) {
    self.game = game
    self.opponent = opponent
    self.number = number
  }

  var isHeld: Bool { hold != nil }

  func wants(_ session: Session) -> Bool { opponent == nil || opponent === session }
}
