import Shared

/// What a waiting player wants to play. A class, for a place that holds it is copied with each move.
final class Wish {
  let game: Game
  /// `nil`: anyone.
  let opponent: Session?
  /// Goes up with each wish, so the least has waited longest.
  let number: Int

  init(game: Game, opponent: Session?, number: Int) {
    self.game = game
    self.opponent = opponent
    self.number = number
  }

  func wants(_ session: Session) -> Bool { opponent == nil || opponent === session }
}
