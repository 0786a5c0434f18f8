/// Plays 5 in a row on large boards: first by a proof search for a win by fours alone, then by
/// negamax with alpha-beta over the most valuable cells.
///
/// A four is a threat that has one reply, so a chain of fours is searched deeply at little cost
/// (*victory by continuous fours*; Allis, van den Herik and Huntjens, *Go-Moku and Threat-Space
/// Search*, 1993).
struct GomokuSearch {
  private typealias Side = GomokuPosition.Side

  /// The value of a won game. Each move until then costs 1, so that the fastest win is best.
  private static let win = 1_000_000
  private static let maxDepth = 20
  /// How many cells are searched at the root, and at other nodes.
  private static let rootWidth = 24
  private static let width = 12

  private let shape: BoardShape
  private var position: GomokuPosition
  private(set) var limit: SearchLimit
  private var table: TranspositionTable
  /// Positions in which no chain of fours wins. Each has one slot; 0 means none.
  private var failures: [UInt64] = Array(repeating: 0, count: 1 << 14)
  /// How many nodes the current search for fours may still visit.
  private var foursLeft = 0
  /// The cells of the nodes on the way from the root, `rootWidth` for each, each with its rating.
  private var moves: [(cell: Int, rating: Int)]

  static func canPlay(_ board: Board) -> Bool {
    let shape = board.shape
    return board.rules == .line && shape.inARow == 5 && max(shape.rows, shape.columns) >= 5
  }

  /// Takes a running game that `canPlay` allows. `mark` is the side to move, side 0 of the
  /// position.
  init(_ board: Board, for mark: Mark, maxNodes: Int, isCancelled: @escaping () -> Bool) {
    shape = board.shape
    position = GomokuPosition(board, for: mark)
    limit = SearchLimit(maxNodes: maxNodes, isCancelled: isCancelled)
    table = TranspositionTable(maxNodes: maxNodes / 4)
    moves = Array(repeating: (0, 0), count: (board.shape.cellCount + 2) * Self.rootWidth)
  }

  /// Returns the best move that the search finds. `random` decides between equals.
  mutating func bestMove(using random: inout some RandomNumberGenerator) -> Cell {
    if let (cell, _) = position.winningCell(of: 0) { return shape.cell(at: cell) }
    if let (cell, _) = position.winningCell(of: 1) { return shape.cell(at: cell) }
    if let cell = winByFours() { return shape.cell(at: cell) }
    var roots = rootMoves(using: &random)
    var best = roots[0].cell
    for depth in 1...Self.maxDepth {
      var found: (cell: Int, value: Int)?
      var alpha = -Self.win
      for index in roots.indices {
        position.place(0, at: roots[index].cell)
        let value = -search(1, depth: depth - 1, alpha: -Self.win, beta: -alpha, ply: 1)
        position.remove(0, at: roots[index].cell)
        if limit.isReached { break }
        if found == nil || value > alpha { found = (roots[index].cell, value) }
        alpha = max(alpha, value)
        if alpha > Self.win / 2 { break }
      }
      // An unfinished depth counts too: its first move is the best of the depth before.
      guard let found else { break }
      // If all moves lose, those of smaller depths make it harder to see.
      if found.value < -Self.win / 2 { break }
      best = found.cell
      if limit.isReached || found.value > Self.win / 2 || roots.count == 1 { break }
      if let index = roots.firstIndex(where: { $0.cell == best }) {
        roots.insert(roots.remove(at: index), at: 0)
      }
    }
    return shape.cell(at: best)
  }

  /// Returns the first move, by the index of its cell, of a chain of fours with which the side to
  /// move wins. Takes up to a quarter of the nodes.
  mutating func winByFours() -> Int? { fours(of: 0, maxNodes: limit.nodesLeft / 4) }

  /// The moves to search, the most promising first: those after which the other side has no win by
  /// fours, or all if there is no such move.
  private mutating func rootMoves(
    using random: inout some RandomNumberGenerator
  ) -> [(cell: Int, rating: Int)] {
    // The rating of a cell says little; one eighth more or less makes the games differ.
    var roots = (0..<position.cellCount).filter(position.isFree).map { cell in
      let rating = rating(of: cell, for: 0)
      return (cell: cell, rating: 8 * rating + Int.random(in: 0...rating, using: &random))
    }
    roots.sort { $0.rating > $1.rating }
    roots = Array(roots.prefix(Self.rootWidth))
    let maxNodes = limit.nodesLeft / 4 / roots.count
    let safe = roots.filter { root in
      position.place(0, at: root.cell)
      defer { position.remove(0, at: root.cell) }
      return fours(of: 1, maxNodes: maxNodes) == nil
    }
    return safe.isEmpty ? roots : safe
  }

  /// The value of the position for a side, which is to move.
  private mutating func search(
    _ side: Side, depth: Int, alpha: Int, beta: Int, ply: Int
  ) -> Int {
    guard limit.count() else { return 0 }
    if position.winningCell(of: side) != nil { return Self.win - ply - 1 }
    if let (cell, isOnly) = position.winningCell(of: 1 - side) {
      guard isOnly else { return ply + 2 - Self.win }
      position.place(side, at: cell)
      defer { position.remove(side, at: cell) }
      return -search(1 - side, depth: depth, alpha: -beta, beta: -alpha, ply: ply + 1)
    }
    if depth <= 0 {
      if position.hasThree(side), fours(of: side, maxNodes: 32) != nil {
        return Self.win - ply - 5
      }
      return position.rating(for: side)
    }
    let key = position.key ^ UInt64(truncatingIfNeeded: side)
    let known = table[key]
    if let known, known.settles(depth: depth, alpha: alpha, beta: beta) { return Int(known.value) }

    let first = ply * Self.rootWidth
    let last = collect(for: side, at: first, known: known.map { Int($0.move) })
    // A full board.
    if first == last { return 0 }
    var (best, bestCell, bound) = (-Self.win, 0, alpha)
    for index in first..<last {
      let cell = moves[index].cell
      position.place(side, at: cell)
      var value: Int
      let child = depth - 1
      if index == first {
        value = -search(1 - side, depth: child, alpha: -beta, beta: -bound, ply: ply + 1)
      } else {
        value = -search(1 - side, depth: child, alpha: -bound - 1, beta: -bound, ply: ply + 1)
        if value > bound, value < beta {
          value = -search(1 - side, depth: child, alpha: -beta, beta: -bound, ply: ply + 1)
        }
      }
      position.remove(side, at: cell)
      if limit.isReached { return 0 }
      if value > best { (best, bestCell) = (value, cell) }
      bound = max(bound, value)
      if bound >= beta { break }
    }
    table.keep(best, move: bestCell, depth: depth, alpha: alpha, beta: beta, key: key)
    return best
  }

  /// What a cell is worth to both sides; half as much again to the one that moves.
  private func rating(of cell: Int, for side: Side) -> Int {
    (3 * position.weight(of: cell, for: side) + 2 * position.weight(of: cell, for: 1 - side)) / 2
  }

  /// Writes the most valuable cells to `moves` from an index on, the best first. Returns the end
  /// index.
  private mutating func collect(for side: Side, at first: Int, known: Int?) -> Int {
    var last = first
    for cell in 0..<position.cellCount where position.isFree(cell) {
      let rating = cell == known ? .max : rating(of: cell, for: side)
      if last == first + Self.width {
        guard rating > moves[last - 1].rating else { continue }
        last -= 1
      }
      var index = last
      while index > first, moves[index - 1].rating < rating {
        moves[index] = moves[index - 1]
        index -= 1
      }
      moves[index] = (cell, rating)
      last += 1
    }
    return last
  }

  /// Returns the first move of a chain of fours with which a side, which is to move, wins; `nil` if
  /// there is none, or `maxNodes` are not enough to find it.
  private mutating func fours(of side: Side, maxNodes: Int) -> Int? {
    foursLeft = maxNodes
    return fours(of: side)
  }

  private mutating func fours(of side: Side) -> Int? {
    if let (cell, _) = position.winningCell(of: side) { return cell }
    var forced: Int?
    if let (cell, isOnly) = position.winningCell(of: 1 - side) {
      guard isOnly else { return nil }
      forced = cell
    }
    let key = SplitMix64.mix(position.key &+ UInt64(truncatingIfNeeded: side))
    let slot = Int(truncatingIfNeeded: key) & (failures.count - 1)
    // Known failures count too: the moves that lead to them take as long as others.
    guard foursLeft > 0, limit.count() else { return nil }
    foursLeft -= 1
    if failures[slot] == key { return nil }
    for word in 0..<position.wordCount {
      var bits = position.threes(of: side, word: word)
      while bits != 0 {
        let (one, other) = position.freeCells(ofLine: word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
        for (cell, reply) in [(one, other), (other, one)] where forced == nil || forced == cell {
          position.place(side, at: cell)
          position.place(1 - side, at: reply)
          let isWon = fours(of: side) != nil
          position.remove(1 - side, at: reply)
          position.remove(side, at: cell)
          if isWon { return cell }
          if foursLeft <= 0 || limit.isReached { return nil }
        }
      }
    }
    failures[slot] = key
    return nil
  }
}
