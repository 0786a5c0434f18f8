/// A small game played out to every end, once: what each of its positions is worth.
struct SolvedGame: Sendable {
  /// 3 × 3 with 3 in a row, solved when it is first asked for.
  static let ticTacToe = SolvedGame(.ticTacToe)

  /// The cells of either side, a bit for each place.
  private struct Position {
    var mover = 0
    var other = 0

    /// The mover's bits above the others: nine of each make an 18-bit code.
    var code: Int { mover << 9 | other }

    /// The position after a move, seen by the other side, whose turn it then is.
    func moved(to bit: Int) -> Position { Position(mover: other, other: mover | bit) }
  }

  /// What a game that is over is worth to its loser. A draw is worth 0; wins and losses count one
  /// less for each move that they are away: the fastest win and the slowest loss are the best.
  private static let loss: Int8 = -100

  private let bits: [Int]
  private let lines: [Int]
  /// By code, to the side that moves; `nil` for a position that no game reaches.
  private var worths: [Int8?] = Array(repeating: nil, count: 1 << 18)

  /// Takes a board of at most 9 cells: a code has room for no more. 3 × 3 takes a millisecond.
  private init(_ shape: BoardShape) {
    bits = (0..<shape.cellCount).map { 1 << $0 }
    lines = shape.lines.map { line in (0..<shape.inARow).reduce(0) { $0 | 1 << line[$1] } }
    // Each after all that its moves lead to.
    let all = (0..<1 << shape.cellCount).sorted { $0.nonzeroBitCount > $1.nonzeroBitCount }
    for taken in all {
      // Every part of what is taken, counted down without what is not.
      for mover in sequence(first: taken, next: { $0 > 0 ? ($0 - 1) & taken : nil }) {
        let position = Position(mover: mover, other: taken ^ mover)
        worths[position.code] = worth(of: position)
      }
    }
  }

  /// The moves of the greatest worth, in row-major order; `nil` for a position that no game
  /// reaches.
  func bestMoves(on board: Board, for mark: Mark) -> [Cell]? {
    var position = Position()
    for (index, bit) in bits.enumerated() {
      guard let found = board[board.shape.cell(at: index)] else { continue }
      if found == mark { position.mover |= bit } else { position.other |= bit }
    }
    guard let best = worths[position.code] else { return nil }
    let taken = position.mover | position.other
    return bits.indices
      .filter { taken & bits[$0] == 0 && worth(of: bits[$0], in: position) == best }
      .map(board.shape.cell(at:))
  }

  /// By the worths of the positions that its moves lead to.
  private func worth(of position: Position) -> Int8? {
    // No game reaches it: the sides have taken turns, and a line ends the game.
    let lead = position.other.nonzeroBitCount - position.mover.nonzeroBitCount
    guard lead == 0 || lead == 1, !hasLine(position.mover) else { return nil }
    guard !hasLine(position.other) else { return Self.loss }
    let taken = position.mover | position.other
    var best: Int8?
    for bit in bits where taken & bit == 0 {
      best = max(best ?? .min, worth(of: bit, in: position) ?? .min)
    }
    return best ?? 0
  }

  private func hasLine(_ cells: Int) -> Bool { lines.contains { cells & $0 == $0 } }

  private func worth(of bit: Int, in position: Position) -> Int8? {
    worths[position.moved(to: bit).code].map(Self.worthBefore)
  }

  /// The worth of a move to the one who makes it, from what the position after it is worth to the
  /// other side.
  private static func worthBefore(_ worth: Int8) -> Int8 { worth.signum() - worth }
}
