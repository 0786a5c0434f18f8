/// Why a start does not become a game.
enum FailedStart: Error, Equatable {
  /// There is no such player or game here, or the server will not; a sentence has said so.
  case refused
  /// Taken back, or the opponent has gone.
  case cancelled
  /// Play has closed.
  case closed
}
