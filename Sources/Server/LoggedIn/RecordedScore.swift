import Shared

/// A score as the record of a match keeps it.
struct RecordedScore {
  private let x: UInt16
  private let o: UInt16
  private let draws: UInt16

  /// `nil` where a number is too large to be kept so.
  init?(_ score: Score) {
    guard let x = UInt16(exactly: score.x), let o = UInt16(exactly: score.o),
      let draws = UInt16(exactly: score.draws)
    else { return nil }
    self.x = x
    self.o = o
    self.draws = draws
  }

  var score: Score { Score(x: Int(x), o: Int(o), draws: Int(draws)) }
}
