import Shared

/// The beginning of a game as the record of a match keeps it: what the match does not know anyway.
struct RecordedBeginning {
  private let wins: PerMark<UInt16>
  private let draws: UInt16
  private let recordedLeft: RecordedTime
  /// Whether the players had the marks of the match's first game.
  let isOdd: Bool

  /// `nil` where a number is too large to be kept so.
  init?(score: Score, left: Duration?, isOdd: Bool) {
    guard let x = UInt16(exactly: score.x), let o = UInt16(exactly: score.o),
      let draws = UInt16(exactly: score.draws), let left = RecordedTime(left)
    else { return nil }
    wins = PerMark(x: x, o: o)
    self.draws = draws
    recordedLeft = left
    self.isOdd = isOdd
  }

  /// Before the game.
  var score: Score { Score(x: Int(wins.x), o: Int(wins.o), draws: Int(draws)) }

  /// The time for the first move.
  var left: Duration? { recordedLeft.time }
}
