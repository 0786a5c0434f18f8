import Shared

/// The beginning of a game in an `EventHistory`: only the data that the match does not have
/// elsewhere.
struct CompactBeginning {
  private let compactScore: CompactScore
  /// The level of the bot; `nil` if two people play.
  let level: BotLevel?
  let order: MarkOrder

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
  private let turn: Mark?
  // The last byte has bits to spare, in which an entry of the history keeps its kind.
  private let mark: Mark

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
  /// The fields in 55 bits, the lowest first: 12 for each number of the score after the game, 5 for
  /// each coordinate of the first cell of the winning line, 5 for its number of cells, which is 0
  /// without a line, 2 for its direction, and 2 for the winner.
  private let low: UInt32
  private let middle: UInt16
  private let high: UInt8
  // The last byte has bits to spare, in which an entry of the history keeps its kind.
  private let reason: Outcome.Reason

  /// `nil` if a number is too large for this form, or if the line is not straight: the 27 cells of
  /// `ultimate`.
  init?(_ outcome: Outcome, _ score: Score) {
    let first = outcome.line?.first ?? Cell(row: 0, column: 0)
    guard max(score.x, score.o, score.draws) < 4_096, max(first.row, first.column) < 32,
      let (count, direction) = Self.extent(of: outcome.line)
    else { return nil }
    let winner =
      switch outcome.winner {
      case nil: 0
      case .x: 1
      case .o: 2
      }
    let bits =
      score.x | score.o << 12 | score.draws << 24 | first.row << 36 | first.column << 41
      | count << 46 | direction << 51 | winner << 53
    low = UInt32(truncatingIfNeeded: bits)
    middle = UInt16(truncatingIfNeeded: bits >> 32)
    high = UInt8(truncatingIfNeeded: bits >> 48)
    reason = outcome.reason
  }

  /// Returns the number of cells of a line, and the direction from its first cell to the last.
  private static func extent(of line: [Cell]?) -> (count: Int, direction: Int)? {
    guard let line, let first = line.first, let last = line.last else { return (0, 0) }
    let (rows, columns) = (last.row - first.row, last.column - first.column)
    guard line.count < 32, max(rows, abs(columns)) == line.count - 1 else { return nil }
    if rows == 0 { return columns >= 0 ? (line.count, 0) : nil }
    return switch columns {
    case 0: (line.count, 1)
    case rows: (line.count, 2)
    case -rows: (line.count, 3)
    default: nil
    }
  }

  private func field(_ shift: Int, _ width: Int) -> Int {
    (Int(low) | Int(middle) << 32 | Int(high) << 48) >> shift & (1 << width - 1)
  }

  /// The score after the game.
  var score: Score { Score(x: field(0, 12), o: field(12, 12), draws: field(24, 12)) }

  var outcome: Outcome {
    let winner: Mark? =
      switch field(53, 2) {
      case 1: .x
      case 2: .o
      default: nil
      }
    return Outcome(winner: winner, reason: reason, line: line)
  }

  private var line: [Cell]? {
    let count = field(46, 5)
    guard count > 0 else { return nil }
    let direction = field(51, 2)
    let rows = direction == 0 ? 0 : 1
    let columns = [1, 0, 1, -1][direction]
    return (0..<count).map { step in
      Cell(row: field(36, 5) + rows * step, column: field(41, 5) + columns * step)
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
