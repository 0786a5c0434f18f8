import Shared

/// What a waiting player wants to play.
struct Wish {
  let game: Game
  /// `nil`: anyone.
  let opponent: Session?
  /// Goes up with each wish, so the least has waited longest.
  let number: Int

  func wants(_ session: Session) -> Bool { opponent == nil || opponent === session }
}
