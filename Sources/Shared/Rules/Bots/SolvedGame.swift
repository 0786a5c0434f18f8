/// A small game, solved once: the value of each of its positions.
struct SolvedGame: Sendable {
  /// 3 × 3 with 3 in a row, solved at its first use.
  static let ticTacToe = SolvedGame(.ticTacToe, lineWins: true)
  /// 3 × 3 where the side that completes a line loses, solved at its first use.
  static let misere = SolvedGame(.ticTacToe, lineWins: false)

  /// The marks of both sides, one bit for each cell.
  private struct Position {
    var mover = 0
    var other = 0

    /// The mover's nine bits above the other side's nine.
    var code: Int { mover << 9 | other }

    /// The position after a move, from the point of view of the other side, whose turn it then is.
    func moved(to bit: Int) -> Position { Position(mover: other, other: mover | bit) }
  }

  /// The value of a won game; that of a lost one is its negative, and a draw is 0. Each move
  /// between a position and its end brings the value one closer to 0, so that the fastest win and
  /// the slowest loss are best.
  private static let win = 100

  /// Whether a line wins the game for its side, or loses it.
  let lineWins: Bool
  private let bits: [Int]
  private let lines: [Int]
  /// The value for the side to move, by `code`; `nil` for a position that no game reaches.
  private var values: [Int8?] = Array(repeating: nil, count: 1 << 18)

  /// Solves a board of up to 9 cells, which is what a code has room for. 3 × 3 takes a
  /// millisecond.
  private init(_ shape: BoardShape, lineWins: Bool) {
    self.lineWins = lineWins
    bits = (0..<shape.cellCount).map { 1 << $0 }
    lines = shape.lines.map { line in (0..<shape.inARow).reduce(0) { $0 | 1 << line[$1] } }
    // Positions with more marks come first, because moves lead to them.
    let all = (0..<1 << shape.cellCount).sorted { $0.nonzeroBitCount > $1.nonzeroBitCount }
    for taken in all {
      // Every subset of the taken cells.
      for mover in sequence(first: taken, next: { $0 > 0 ? ($0 - 1) & taken : nil }) {
        let position = Position(mover: mover, other: taken ^ mover)
        values[position.code] = value(of: position)
      }
    }
  }

  /// Returns the best moves, in row-major order: those that win soonest, else those that draw, else
  /// those that lose latest. Returns `nil` for a position that no game reaches.
  ///
  /// `plies` is how many moves ahead a win or a loss counts: 1 sees a win at once, 2 also what the
  /// other side can win with its next move. Moves that decide the game later count as draws.
  func bestMoves(on board: Board, for mark: Mark, within plies: Int = 9) -> [Cell]? {
    var position = Position()
    for (index, bit) in bits.enumerated() {
      guard let found = board[board.shape.cell(at: index)] else { continue }
      if found == mark { position.mover |= bit } else { position.other |= bit }
    }
    guard values[position.code] != nil else { return nil }
    let taken = position.mover | position.other
    let moves = bits.indices.filter { taken & bits[$0] == 0 }.map { index in
      let value = value(of: bits[index], in: position) ?? 0
      return (index, abs(Int(value)) >= Self.win - plies ? value : 0)
    }
    let best = moves.map(\.1).max()
    return moves.filter { $0.1 == best }.map { board.shape.cell(at: $0.0) }
  }

  /// The value of a position, from the values of the positions that its moves lead to.
  private func value(of position: Position) -> Int8? {
    // A game reaches it only if the sides have taken turns and the mover has no line.
    let lead = position.other.nonzeroBitCount - position.mover.nonzeroBitCount
    guard lead == 0 || lead == 1, !hasLine(position.mover) else { return nil }
    guard !hasLine(position.other) else { return Int8(lineWins ? -Self.win : Self.win) }
    let taken = position.mover | position.other
    var best: Int8?
    for bit in bits where taken & bit == 0 {
      best = max(best ?? .min, value(of: bit, in: position) ?? .min)
    }
    return best ?? 0
  }

  private func hasLine(_ cells: Int) -> Bool { lines.contains { cells & $0 == $0 } }

  private func value(of bit: Int, in position: Position) -> Int8? {
    values[position.moved(to: bit).code].map(Self.valueBefore)
  }

  /// Converts the value of a position for the other side into the value of the move that leads to
  /// it.
  private static func valueBefore(_ value: Int8) -> Int8 { value.signum() - value }
}
