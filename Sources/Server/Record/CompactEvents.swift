import Shared

/// The beginning of a game in an `EventHistory`: only the data that the match does not have
/// elsewhere.
struct CompactBeginning {
  private let compactScore: CompactScore
  let order: MarkOrder
  /// The level of the bot; `nil` if two people play.
  let level: BotLevel?

  /// `nil` if a number is too large for this form.
  init?(score: Score, order: MarkOrder, level: BotLevel? = nil) {
    guard let compactScore = CompactScore(score) else { return nil }
    self.compactScore = compactScore
    self.order = order
    self.level = level
  }

  /// The score before the game.
  var score: Score { compactScore.score }
}

/// A move in an `EventHistory`. It has a tenth of the size of its line, which can be encoded again.
struct CompactMove {
  private let hash: UInt32
  private let cell: CompactCell
  private let mark: Mark
  private let turn: Mark?

  /// `nil` if a number is too large for this form.
  init?(_ placement: Placement, turn: Mark?, hash: UInt32) {
    guard let cell = CompactCell(placement.cell) else { return nil }
    self.hash = hash
    self.cell = cell
    mark = placement.mark
    self.turn = turn
  }

  var change: Change {
    Change(Placement(cell: cell.cell, mark: mark), turn: turn, hash: hash)
  }
}

/// The end of a game in an `EventHistory`. It has a tenth of the size of its line, which can be
/// encoded again.
struct CompactEnding {
  private let compactScore: CompactScore
  private let winner: Mark?
  private let reason: Outcome.Reason
  /// The winning line: its first and last cell and its number of cells; 0 if there is no line.
  private let first: CompactCell
  private let last: CompactCell
  private let count: UInt8

  /// `nil` if a number is too large for this form, or if the line is not straight: the 27 cells of
  /// `ultimate`.
  init?(_ outcome: Outcome, _ score: Score) {
    guard outcome.line?.count ?? 0 <= BoardShape.maxSide, let compactScore = CompactScore(score),
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

  /// The score after the game.
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

/// A cell in an `EventHistory`.
struct CompactCell {
  private let row: UInt8
  private let column: UInt8

  /// `nil` if a coordinate is larger than 255. No cell becomes (0, 0).
  init?(_ cell: Cell?) {
    guard let row = UInt8(exactly: cell?.row ?? 0), let column = UInt8(exactly: cell?.column ?? 0)
    else { return nil }
    self.row = row
    self.column = column
  }

  var cell: Cell { Cell(row: Int(row), column: Int(column)) }
}

/// A score in an `EventHistory`.
struct CompactScore {
  private let x: UInt16
  private let o: UInt16
  private let draws: UInt16

  /// `nil` if a number is too large for this form.
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
