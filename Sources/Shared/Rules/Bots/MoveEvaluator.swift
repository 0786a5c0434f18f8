/// The threats that one side makes with a mark on a free cell.
private struct Threats {
  /// Whether a mark here completes a line, and wins.
  private(set) var wins = false
  /// The indices of the first two cells that would win after a mark here.
  private(set) var first: Int?
  private(set) var second: Int?
  /// Whether there is a third such cell.
  private(set) var hasThird = false

  /// Whether a mark here threatens to win on two cells. The opponent can take only one of them.
  var isFork: Bool { second != nil }

  /// Counts a line in which only this cell is free, or also a second one, `partner`.
  mutating func count(lineWith partner: Int?) {
    guard let partner else {
      wins = true
      return
    }
    if first == nil || first == partner {
      first = partner
    } else if second == nil || second == partner {
      second = partner
    } else {
      hasThird = true
    }
  }
}

/// Rates a mark on each free cell. It looks at each line once and does not search ahead, so the
/// cost depends only on the size of the board.
struct MoveEvaluator {
  /// Ratings that count more than any weight, the least urgent first.
  private enum Urgency: Comparable {
    case none
    /// Prevents this many forks of the opponent. A threat could gain the time to prevent more; this
    /// rating does not consider that.
    case prevents(forks: Int)
    case forks
    case blocks
    case wins
  }

  private let board: Board
  private let mark: Mark
  // These are indexed by cell.
  private let marks: [Mark?]
  private var own: [Threats]
  private var theirs: [Threats]
  private var weights: [Int]

  /// Rates the free cells of a board for the side to move.
  init(for mark: Mark, on board: Board) {
    self.board = board
    self.mark = mark
    marks = (0..<board.shape.cellCount).map { board[board.shape.cell(at: $0)] }
    own = Array(repeating: Threats(), count: board.shape.cellCount)
    theirs = own
    weights = Array(repeating: 0, count: board.shape.cellCount)
    for line in board.shape.lines { weigh(line) }
  }

  /// The best open cells, in row-major order.
  var bestMoves: [Cell] {
    let prevented = preventedForks
    var best: (Urgency, Int) = (.none, 0)
    var cells: [Cell] = []
    for cell in board.openCells {
      let index = board.shape.index(of: cell)
      let urgency = urgency(of: index, preventedForks: prevented[index])
      // All wins are equally good, and so are all blocks. Weights are for slower moves.
      let rating = (urgency, urgency > .forks ? 0 : weights[index])
      if rating < best { continue }
      if rating > best { cells = [] }
      best = rating
      cells.append(cell)
    }
    return cells
  }

  private func urgency(of index: Int, preventedForks: Int) -> Urgency {
    if own[index].wins { return .wins }
    if theirs[index].wins { return .blocks }
    if own[index].isFork { return .forks }
    return preventedForks > 0 ? .prevents(forks: preventedForks) : .none
  }

  /// For each cell, the number of the opponent's forks that a mark there prevents. A mark prevents
  /// a fork if it is on the cell of the fork, or on one of only two cells that the fork would
  /// threaten.
  private var preventedForks: [Int] {
    var counts = Array(repeating: 0, count: theirs.count)
    for (index, threats) in theirs.enumerated() {
      guard let first = threats.first, let second = threats.second else { continue }
      counts[index] += 1
      if threats.hasThird { continue }
      counts[first] += 1
      counts[second] += 1
    }
    return counts
  }

  private mutating func weigh(_ line: LineIndices) {
    let count = board.shape.inARow
    var (ownMarks, theirMarks, sumOfFree) = (0, 0, 0)
    for offset in 0..<count {
      let index = line[offset]
      if let found = marks[index] {
        if found == mark { ownMarks += 1 } else { theirMarks += 1 }
      } else {
        sumOfFree += index
      }
    }
    // Neither side can complete a line that has both marks.
    guard ownMarks == 0 || theirMarks == 0 else { return }
    let weight = Self.weight(own: ownMarks, theirs: theirMarks)
    let freeCount = count - ownMarks - theirMarks
    for offset in 0..<count where marks[line[offset]] == nil {
      let index = line[offset]
      weights[index] += weight
      if freeCount > 2 { continue }
      let partner = freeCount == 2 ? sumOfFree - index : nil
      if theirMarks == 0 { own[index].count(lineWith: partner) }
      if ownMarks == 0 { theirs[index].count(lineWith: partner) }
    }
  }

  /// The weight that a line adds to each of its free cells. Each further mark multiplies it by
  /// eight. An own line counts half as much again, because it is this side's turn. A line with a
  /// free cell has up to 18 marks, with which the sum still fits in 63 bits.
  private static func weight(own: Int, theirs: Int) -> Int {
    if own > 0 { return 3 << (3 * own) }
    return theirs > 0 ? 2 << (3 * theirs) : 1
  }
}
