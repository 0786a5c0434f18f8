import Shared

/// The end of a game as the record of a match keeps it: a tenth of the size of its line, which can be
/// written again.
struct RecordedEnding {
  private let recordedScore: RecordedScore
  private let winner: Mark?
  private let reason: Outcome.Reason
  /// The winning line, a run of neighbours: both ends, and how many cells it has; 0: there is none.
  private let first: RecordedCell
  private let last: RecordedCell
  private let count: UInt8

  /// `nil` where a number is too large to be kept so.
  init?(_ outcome: Outcome, _ score: Score) {
    guard let recordedScore = RecordedScore(score),
      let first = RecordedCell(outcome.line?.first), let last = RecordedCell(outcome.line?.last),
      let count = UInt8(exactly: outcome.line?.count ?? 0)
    else { return nil }
    self.recordedScore = recordedScore
    winner = outcome.winner
    reason = outcome.reason
    self.first = first
    self.last = last
    self.count = count
  }

  /// After the game.
  var score: Score { recordedScore.score }

  var outcome: Outcome { Outcome(winner: winner, reason: reason, line: line) }

  private var line: [Cell]? {
    guard count > 0 else { return nil }
    let (first, last) = (first.cell, last.cell)
    let steps = max(1, Int(count) - 1)
    return (0..<Int(count)).map { step in
      Cell(
        row: first.row + (last.row - first.row) * step / steps,
        column: first.column + (last.column - first.column) * step / steps)
    }
  }
}
