import RIBs

/// The score, for RIBs that show it.
protocol ScoreStream: AnyObject {
  /// Delivers the score on subscribe and at each change.
  var score: Stream<Score> { get }
}

/// The writable `ScoreStream`, for the RIB that keeps the score.
final class MutableScoreStream: ScoreStream {
  private let current = CurrentValue(Score())

  var score: Stream<Score> { current.stream }

  /// The score that was delivered last.
  var latest: Score { current.value }

  func gameDidEnd(with outcome: Outcome) {
    var score = current.value
    score.gameDidEnd(with: outcome)
    current.send(score)
  }
}
