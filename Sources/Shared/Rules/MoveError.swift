/// Why a move was not made. Where several fit, the first of this list is thrown.
package enum MoveError: Error, CaseIterable, Sendable {
  /// The game is over.
  case noGame
  case notYourTurn
  case outOfBoard
  case cellTaken
}
