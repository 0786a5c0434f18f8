import Shared

/// The beginning of a game as the record of a match keeps it: what the match does not know anyway.
struct RecordedBeginning {
  private let recordedScore: RecordedScore
  private let recordedLeft: RecordedTime
  /// Whether the players had the marks of the match's first game.
  let isOdd: Bool

  /// `nil` where a number is too large to be kept so.
  init?(score: Score, left: Duration?, isOdd: Bool) {
    guard let recordedScore = RecordedScore(score), let left = RecordedTime(left) else {
      return nil
    }
    self.recordedScore = recordedScore
    recordedLeft = left
    self.isOdd = isOdd
  }

  /// Before the game.
  var score: Score { recordedScore.score }

  /// The time for the first move.
  var left: Duration? { recordedLeft.time }
}
