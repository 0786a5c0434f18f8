/// Plays 4 in a row on boards of up to 64 bits, with gravity (`connect`) or without (`four`): a
/// search by negamax with alpha-beta, iterative deepening and a transposition table.
///
/// The bitboard is that of Pascal Pons, *Solving Connect 4* (blog.gamesolver.org): a column takes
/// one bit for each row, the lowest first, and one bit above that stays clear. The value of threats
/// by the parity of their row is from Victor Allis, *A Knowledge-based Approach of Connect-Four*
/// (1988).
struct FourInARowSearch {
  /// The cells of the side to move, and those of both sides.
  private struct Position {
    var mover: UInt64
    var taken: UInt64

    var other: UInt64 { mover ^ taken }

    func moved(to bit: UInt64) -> Position { Position(mover: other, taken: taken | bit) }

    var key: UInt64 { SplitMix64.mix(mover &* 0x9E37_79B9_7F4A_7C15 ^ taken) }
  }

  /// The value of a won game. Each move until then costs 1, so that the fastest win is best.
  private static let win = 10_000
  private static let maxMoves = 64

  private let shape: BoardShape
  private let hasGravity: Bool
  /// The bits of a column.
  private let height: Int
  private let cells: UInt64
  private let bottom: UInt64
  /// The cells of the rows 1, 3, 5… from below. With gravity, threats there favor the side that
  /// moved first.
  private let oddRows: UInt64
  /// The cells by how many lines cross them, those with most first.
  private let cellOrder: [UInt64]
  private let start: Position
  private(set) var limit: SearchLimit
  private var table: TranspositionTable
  /// The moves of the nodes on the way from the root, `maxMoves` for each, each with its rating.
  private var moves: [(bit: UInt64, rating: Int)]

  static func canPlay(_ board: Board) -> Bool {
    let shape = board.shape
    return shape.inARow == 4 && (shape.rows + 1) * shape.columns <= 64
      && (board.rules == .line || board.rules == .connect)
  }

  /// Takes a running game that `canPlay` allows.
  init(_ board: Board, for mark: Mark, maxNodes: Int, isCancelled: @escaping () -> Bool) {
    let shape = board.shape
    let height = shape.rows + 1
    func bit(_ cell: Cell) -> UInt64 { 1 << (cell.column * height + shape.rows - 1 - cell.row) }
    var (cells, oddRows, start) = (UInt64(), UInt64(), Position(mover: 0, taken: 0))
    for index in 0..<shape.cellCount {
      let cell = shape.cell(at: index)
      cells |= bit(cell)
      if (shape.rows - cell.row) % 2 == 1 { oddRows |= bit(cell) }
      guard let found = board[cell] else { continue }
      start.taken |= bit(cell)
      if found == mark { start.mover |= bit(cell) }
    }
    var crossings = Array(repeating: 0, count: shape.cellCount)
    for line in shape.lines {
      for offset in 0..<shape.inARow { crossings[line[offset]] += 1 }
    }
    cellOrder = crossings.indices.sorted { (crossings[$1], $0) < (crossings[$0], $1) }
      .map { bit(shape.cell(at: $0)) }
    self.shape = shape
    self.height = height
    self.cells = cells
    self.oddRows = oddRows
    self.start = start
    hasGravity = board.rules == .connect
    bottom = (0..<shape.columns).reduce(0) { $0 | 1 << ($1 * height) }
    limit = SearchLimit(maxNodes: maxNodes, isCancelled: isCancelled)
    table = TranspositionTable(maxNodes: maxNodes)
    moves = Array(repeating: (0, 0), count: (shape.cellCount + 1) * Self.maxMoves)
  }

  /// Returns the best move that the search finds, and its value: positive for a win and negative
  /// for a loss, the more so the sooner; 0 for a draw, or if the search does not see the end.
  /// `random` decides between moves of equal value.
  mutating func bestMove(
    using random: inout some RandomNumberGenerator
  ) -> (cell: Cell, value: Int) {
    var roots: [(bit: UInt64, value: Int)] = []
    let possible = possibleCells(start)
    for bit in cellOrder where possible & bit != 0 { roots.append((bit, 0)) }
    roots.shuffle(using: &random)
    let freeCount = (cells & ~start.taken).nonzeroBitCount
    let wins = winningCells(start.mover) & possible
    if let win = roots.first(where: { $0.bit & wins != 0 }) {
      return (cell(of: win.bit), Self.win - start.taken.nonzeroBitCount - 1)
    }
    let blocks = winningCells(start.other) & possible
    if let block = roots.first(where: { $0.bit & blocks != 0 }) { roots = [block] }
    var best = roots[0]
    for depth in 0..<freeCount {
      var found: (bit: UInt64, value: Int)?
      var alpha = -Self.win
      for index in roots.indices {
        let next = start.moved(to: roots[index].bit)
        // Values up to alpha are bounds. Equal values count as less, so the first of them is kept.
        let value = -search(next, depth: depth, alpha: -Self.win, beta: -alpha, ply: 1)
        if limit.isReached { break }
        roots[index].value = value
        if found == nil || value > alpha { found = roots[index] }
        alpha = max(alpha, value)
        // No smaller depth has seen this win, so hardly any is faster.
        if alpha > Self.win / 2 { break }
      }
      // An unfinished depth counts too: its first move is the best of the depth before.
      if let found { best = found }
      if limit.isReached || isEndSeen(best.value) { break }
      // A move that certainly loses is of no further interest, and the only other one is best.
      roots.removeAll { $0.value < -Self.win / 2 }
      if roots.count == 1 { break }
      if let index = roots.firstIndex(where: { $0.bit == best.bit }) {
        roots.insert(roots.remove(at: index), at: 0)
      }
    }
    return (cell(of: best.bit), isEndSeen(best.value) ? best.value : 0)
  }

  private func isEndSeen(_ value: Int) -> Bool { abs(value) > Self.win / 2 }

  /// The value of a position for the side to move, which has not lost yet.
  private mutating func search(
    _ position: Position, depth: Int, alpha: Int, beta: Int, ply: Int
  ) -> Int {
    guard limit.count() else { return 0 }
    let possible = possibleCells(position)
    if possible == 0 { return 0 }
    let count = position.taken.nonzeroBitCount
    if winningCells(position.mover) & possible != 0 { return Self.win - count - 1 }
    let theirs = winningCells(position.other) & ~position.taken
    var candidates = possible
    let forced = theirs & possible
    if forced != 0 {
      if forced & (forced - 1) != 0 { return count + 2 - Self.win }
      candidates = forced
    }
    // A mark right below a cell where the other side wins lets it win.
    if hasGravity { candidates &= ~(theirs >> 1) }
    if candidates == 0 { return count + 2 - Self.win }
    if depth <= 0, forced == 0 { return rating(of: position, theirs: theirs) }
    // From here the other side cannot win with its next move, and so this is the best that is left.
    var beta = beta
    var alpha = alpha
    beta = min(beta, Self.win - count - 3)
    alpha = max(alpha, count + 4 - Self.win)
    if alpha >= beta { return beta }
    let known = table[position.key]
    if let known, known.settles(depth: depth, alpha: alpha, beta: beta) { return Int(known.value) }

    let first = ply * Self.maxMoves
    let last = collect(candidates, of: position, at: first, known: known)
    var best = -Self.win
    var bestBit: UInt64 = 0
    var bound = alpha
    for index in first..<last {
      let next = position.moved(to: moves[index].bit)
      var value: Int
      if index == first {
        value = -search(next, depth: depth - 1, alpha: -beta, beta: -bound, ply: ply + 1)
      } else {
        value = -search(next, depth: depth - 1, alpha: -bound - 1, beta: -bound, ply: ply + 1)
        if value > bound, value < beta {
          value = -search(next, depth: depth - 1, alpha: -beta, beta: -bound, ply: ply + 1)
        }
      }
      if limit.isReached { return 0 }
      if value > best {
        best = value
        bestBit = moves[index].bit
      }
      bound = max(bound, value)
      if bound >= beta { break }
    }
    if depth < 0 { return best }
    table.keep(
      best, move: bestBit.trailingZeroBitCount, depth: depth, alpha: alpha, beta: beta,
      key: position.key)
    return best
  }

  /// Writes moves to `moves` from an index on, the most promising first. Returns the end index.
  @inline(__always)
  private mutating func collect(
    _ candidates: UInt64, of position: Position, at first: Int,
    known: TranspositionTable.Entry?
  ) -> Int {
    let knownBit = known.map { UInt64(1) << UInt64($0.move) } ?? 0
    var last = first
    for bit in cellOrder where candidates & bit != 0 {
      let threats = winningCells(position.mover | bit) & ~position.taken & cells
      let rating = bit == knownBit ? 1_000 : threats.nonzeroBitCount
      var index = last
      while index > first, moves[index &- 1].rating < rating {
        moves[index] = moves[index &- 1]
        index &-= 1
      }
      moves[index] = (bit, rating)
      last &+= 1
    }
    return last
  }

  /// Rates a position whose end is not seen, for the side to move: by the cells where one more mark
  /// would win, and by the lines of two.
  private func rating(of position: Position, theirs: UInt64) -> Int {
    let free = cells & ~position.taken
    let own = winningCells(position.mover) & free
    var sum = 8 * (own.nonzeroBitCount - (theirs & cells).nonzeroBitCount)
    if hasGravity {
      let moverIsFirst = position.taken.nonzeroBitCount % 2 == 0
      let ownRows = moverIsFirst ? oddRows : ~oddRows
      sum += 8 * ((own & ownRows).nonzeroBitCount - (theirs & cells & ~ownRows).nonzeroBitCount)
    }
    return sum + openPairs(position.mover, free: free) - openPairs(position.other, free: free)
  }

  /// Counts lines of two marks and two free cells next to each other, by direction.
  private func openPairs(_ side: UInt64, free: UInt64) -> Int {
    var count = 0
    for step in [1, height, height &+ 1, height &- 1] {
      let pairs = side & (side >> UInt64(step))
      let open = free & (free >> UInt64(step))
      count &+= (pairs & (open >> UInt64(2 &* step))).nonzeroBitCount
      count &+= (pairs & (open << UInt64(2 &* step))).nonzeroBitCount
      count &+= (pairs & (free >> UInt64(2 &* step)) & (free << UInt64(step))).nonzeroBitCount
    }
    return count
  }

  /// The free cells that are open.
  @inline(__always)
  private func possibleCells(_ position: Position) -> UInt64 {
    hasGravity ? (position.taken &+ bottom) & cells : cells & ~position.taken
  }

  /// The cells, taken or not, that complete a line of a side.
  @inline(__always)
  private func winningCells(_ side: UInt64) -> UInt64 {
    winningCells(side, 1) | winningCells(side, height) | winningCells(side, height &+ 1)
      | winningCells(side, height &- 1)
  }

  @inline(__always)
  private func winningCells(_ side: UInt64, _ distance: Int) -> UInt64 {
    // Cells behind and before one, two and three marks of the side.
    let step = UInt64(truncatingIfNeeded: distance)
    let behind1 = side &<< step
    let behind2 = behind1 & side &<< (2 &* step)
    let behind3 = behind2 & side &<< (3 &* step)
    let before1 = side &>> step
    let before2 = before1 & side &>> (2 &* step)
    let before3 = before2 & side &>> (3 &* step)
    return (behind3 | before3 | behind1 & before2 | behind2 & before1) & cells
  }

  private func cell(of bit: UInt64) -> Cell {
    let index = bit.trailingZeroBitCount
    return Cell(row: shape.rows - 1 - index % height, column: index / height)
  }
}
