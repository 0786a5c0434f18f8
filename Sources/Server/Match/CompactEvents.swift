import Shared

/// The beginning of a game as the history of a match keeps it: what the match does not know anyway.
struct CompactBeginning {
  private let compactScore: CompactScore
  private let compactTimeLeft: CompactTime
  /// Whether the players had the marks of the match's first game.
  let isOdd: Bool

  /// `nil` where a number is too large to be kept so.
  init?(score: Score, timeLeft: Duration?, isOdd: Bool) {
    guard let compactScore = CompactScore(score), let time = CompactTime(timeLeft) else {
      return nil
    }
    self.compactScore = compactScore
    compactTimeLeft = time
    self.isOdd = isOdd
  }

  /// Before the game.
  var score: Score { compactScore.score }

  /// The time for the first move.
  var timeLeft: Duration? { compactTimeLeft.time }
}

/// A move as the history of a match keeps it: a tenth of the size of its line, which can be written
/// again.
struct CompactMove {
  private let hash: UInt32
  private let compactTimeLeft: CompactTime
  private let cell: CompactCell
  private let mark: Mark
  private let turn: Mark?

  /// `nil` where a number is too large to be kept so.
  init?(_ placement: Placement, turn: Mark?, timeLeft: Duration?, hash: UInt32) {
    guard let cell = CompactCell(placement.cell), let time = CompactTime(timeLeft) else {
      return nil
    }
    self.hash = hash
    compactTimeLeft = time
    self.cell = cell
    mark = placement.mark
    self.turn = turn
  }

  var change: Change {
    Change(Placement(cell: cell.cell, mark: mark), turn: turn, hash: hash)
  }

  /// The time for the next move.
  var timeLeft: Duration? { compactTimeLeft.time }
}

/// The end of a game as the history of a match keeps it: a tenth of the size of its line, which can be
/// written again.
struct CompactEnding {
  private let compactScore: CompactScore
  private let winner: Mark?
  private let reason: Outcome.Reason
  /// The winning line, a run of neighbours: both ends, and how many cells it has; 0: there is none.
  private let first: CompactCell
  private let last: CompactCell
  private let count: UInt8

  /// `nil` where a number is too large to be kept so.
  init?(_ outcome: Outcome, _ score: Score) {
    guard let compactScore = CompactScore(score),
      let first = CompactCell(outcome.line?.first), let last = CompactCell(outcome.line?.last),
      let count = UInt8(exactly: outcome.line?.count ?? 0)
    else { return nil }
    self.compactScore = compactScore
    winner = outcome.winner
    reason = outcome.reason
    self.first = first
    self.last = last
    self.count = count
  }

  /// After the game.
  var score: Score { compactScore.score }

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

/// A cell as the history of a match keeps it.
struct CompactCell {
  private let row: UInt8
  private let column: UInt8

  /// `nil` where it is too far out to be kept so. No cell is kept as any.
  init?(_ cell: Cell?) {
    guard let row = UInt8(exactly: cell?.row ?? 0), let column = UInt8(exactly: cell?.column ?? 0)
    else { return nil }
    self.row = row
    self.column = column
  }

  var cell: Cell { Cell(row: Int(row), column: Int(column)) }
}

/// A score as the history of a match keeps it.
struct CompactScore {
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

/// The time that was left for a move, as lines tell it: in milliseconds.
struct CompactTime {
  /// The most that there are stand for no limit.
  private let milliseconds: UInt32

  /// `nil` where it is more than 49 days.
  init?(_ time: Duration?) {
    guard let time else {
      milliseconds = .max
      return
    }
    guard let milliseconds = UInt32(exactly: time.milliseconds), milliseconds < .max else {
      return nil
    }
    self.milliseconds = milliseconds
  }

  /// `nil` where there was no limit.
  var time: Duration? { milliseconds == .max ? nil : .milliseconds(milliseconds) }
}
