/// What one side can threaten with a mark on a free cell.
private struct Threats {
  /// The cell is the last one that a line lacks: a mark here wins.
  private(set) var wins = false
  /// The indices of the first two cells that would win next, after a mark here.
  private(set) var first: Int?
  private(set) var second: Int?
  /// There is a third such cell.
  private(set) var hasThird = false

  /// A mark here threatens to win on two cells, of which the opponent can take only one.
  var isFork: Bool { second != nil }

  /// Counts a line that lacks this cell and at most one more, `partner`.
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

/// Rates a mark on each free cell by looking once at each line, without searching ahead. So the
/// cost depends on the size of the board alone.
struct MoveEvaluator {
  /// Ratings that go before any weight, the least urgent first.
  private enum Urgency: Comparable {
    case none
    /// Takes this many forks from the opponent. Not seen: a threat of one's own can gain time to
    /// take more.
    case spoils(forks: Int)
    case forks
    case blocks
    case wins
  }

  private let board: Board
  private let mark: Mark
  // Each by the index of a cell.
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
    let spoiled = spoiledForks
    var best: (Urgency, Int) = (.none, 0)
    var cells: [Cell] = []
    for cell in board.openCells {
      let index = board.shape.index(of: cell)
      let urgency = urgency(of: index, spoiledForks: spoiled[index])
      // One win or block is as good as another; weights are for the slower moves.
      let rating = (urgency, urgency > .forks ? 0 : weights[index])
      if rating < best { continue }
      if rating > best { cells = [] }
      best = rating
      cells.append(cell)
    }
    return cells
  }

  private func urgency(of index: Int, spoiledForks: Int) -> Urgency {
    if own[index].wins { return .wins }
    if theirs[index].wins { return .blocks }
    if own[index].isFork { return .forks }
    return spoiledForks > 0 ? .spoils(forks: spoiledForks) : .none
  }

  /// For each cell, how many of the opponent's forks a mark there prevents: on the cell of the
  /// fork, or on one of only two cells that it would threaten.
  private var spoiledForks: [Int] {
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
    // Neither side can fill a line that holds both marks.
    guard ownMarks == 0 || theirMarks == 0 else { return }
    let weight = Self.weight(own: ownMarks, theirs: theirMarks)
    let lacking = count - ownMarks - theirMarks
    for offset in 0..<count where marks[line[offset]] == nil {
      let index = line[offset]
      weights[index] += weight
      if lacking > 2 { continue }
      let partner = lacking == 2 ? sumOfFree - index : nil
      if theirMarks == 0 { own[index].count(lineWith: partner) }
      if ownMarks == 0 { theirs[index].count(lineWith: partner) }
    }
  }

  /// What a line adds to the weight of each of its free cells: eight times as much for each further
  /// mark, and half as much again for an own line, because it is one's own turn. With 18 marks, the
  /// most in a line that lacks one, the sum still fits in 63 bits.
  private static func weight(own: Int, theirs: Int) -> Int {
    if own > 0 { return 3 << (3 * own) }
    return theirs > 0 ? 2 << (3 * theirs) : 1
  }
}
