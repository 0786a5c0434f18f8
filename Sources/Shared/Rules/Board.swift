/// The reason why a move is refused. If several cases apply, the first in this list is thrown.
package enum MoveError: Error, CaseIterable, Sendable {
  /// The game is over.
  case noGame
  case notYourTurn
  case outOfBoard
  case cellTaken
  /// The cell is free, but the rules do not allow a mark there now.
  case notOpen
}

/// A board with its rules: whose turn it is, which moves are allowed, when the game is over. On the
/// server and in local play this value is the authority; in remote play it is a copy of the
/// server's.
package struct Board: Equatable, Sendable {
  package let shape: BoardShape
  /// The rules of the game. A copy of a remote board does not know them: it has `line`, and gets
  /// its open cells with each change.
  package let rules: GameRules
  /// The rows, joined by `/`, as they are hashed: one letter for each cell. A `/` is no mark, so it
  /// ends every run.
  package private(set) var text: [UInt8]
  private var freeCount: Int
  /// The offset in `text` of the last mark; negative if there is none, or if it is unknown.
  private var lastOffset = -1
  /// Whose turn it is; `nil` when the game is over.
  package private(set) var turn: Mark?
  /// `nil` while the game runs, and in a copy of a remote board.
  package private(set) var outcome: Outcome?
  /// The cells where the next mark may go, in row-major order; `nil` if every free cell is open,
  /// and when the game is over.
  package private(set) var open: [Cell]?

  /// An empty board, X to move.
  package init(_ shape: BoardShape, rules: GameRules = .line) {
    self.shape = shape
    self.rules = rules
    // Appended to, because `Array(repeating:count:)` is not specialized.
    text = []
    text.reserveCapacity(shape.rows * (shape.columns + 1) - 1)
    freeCount = shape.cellCount
    turn = .x
    for row in 0..<shape.rows {
      if row > 0 { text.append(UInt8(ascii: "/")) }
      for _ in 0..<shape.columns { text.append(Self.emptyLetter) }
    }
    open = openCells(after: nil)
  }

  /// A copy of a remote board, from its rows as on the wire: `["X.O", ".X.", "..."]`.
  ///
  /// Returns `nil` if the rows do not fit the shape, or contain anything but `X`, `O` and `.`, or
  /// if an open cell is not on the board, or `lastMove` is not.
  package init?(
    _ shape: BoardShape, rows: [String], turn: Mark?, open: [Cell]? = nil,
    lastMove: Placement? = nil
  ) {
    guard rows.count == shape.rows else { return nil }
    self.init(shape)
    for (row, text) in rows.enumerated() {
      guard text.utf8.count == shape.columns else { return nil }
      for (column, byte) in text.utf8.enumerated() where byte != Self.emptyLetter {
        guard let mark = Mark(rawValue: byte) else { return nil }
        put(Placement(cell: Cell(row: row, column: column), mark: mark))
      }
    }
    guard open?.allSatisfy(shape.contains) ?? true else { return nil }
    self.turn = turn
    self.open = open
    lastOffset = -1
    guard let lastMove else { return }
    guard shape.contains(lastMove.cell), self[lastMove.cell] == lastMove.mark else { return nil }
    lastOffset = offset(of: lastMove.cell)
  }

  /// The mark on a cell; `nil` if the cell is free. The cell must be on the board.
  package subscript(cell: Cell) -> Mark? { Mark(rawValue: text[offset(of: cell)]) }

  /// The mark that was put last; `nil` on an empty board, and in a copy of a remote board whose
  /// server has not told it.
  package var lastMove: Placement? {
    guard lastOffset >= 0, let mark = Mark(rawValue: text[lastOffset]) else { return nil }
    return Placement(
      cell: Cell(row: lastOffset / stride, column: lastOffset % stride), mark: mark)
  }

  /// The rows as on the wire, one letter for each cell.
  package var rows: [String] {
    (0..<shape.rows).map { row in
      String(decoding: text[row * stride..<row * stride + shape.columns], as: UTF8.self)
    }
  }

  /// FNV-1a, 32 bits, of the rows joined by `/` (the parameters are those of
  /// draft-eastlake-fnv).
  package var hash: UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    let text = text.span
    for offset in text.indices { hash = (hash ^ UInt32(text[offset])) &* 0x0100_0193 }
    return hash
  }

  /// The cells without a mark, in row-major order.
  package var freeCells: [Cell] {
    (0..<shape.cellCount).map(shape.cell(at:)).filter { self[$0] == nil }
  }

  /// The cells where the next mark may go, in row-major order; none when the game is over.
  package var openCells: [Cell] { turn == nil ? [] : open ?? freeCells }

  /// Whether the next mark may go to a cell, which must be on the board.
  package func isOpen(_ cell: Cell) -> Bool {
    turn != nil && (open?.contains(cell) ?? (self[cell] == nil))
  }

  /// Puts a mark on a cell. If the move ends the game, `outcome` is set.
  ///
  /// - Throws: the first `MoveError` that applies. The board is then unchanged.
  package mutating func place(_ mark: Mark, at cell: Cell) throws(MoveError) -> Change {
    guard let turn else { throw .noGame }
    guard mark == turn else { throw .notYourTurn }
    guard shape.contains(cell) else { throw .outOfBoard }
    let offset = offset(of: cell)
    guard text[offset] == Self.emptyLetter else { throw .cellTaken }
    guard rules == .line else { return try placeByOtherRules(mark, at: cell) }
    text[offset] = mark.rawValue
    lastOffset = offset
    freeCount &-= 1
    if let line = decidingLine(through: cell) {
      outcome = Outcome(winner: mark, reason: .line, line: line)
      self.turn = nil
    } else if freeCount == 0 {
      outcome = Outcome(winner: nil, reason: .full)
      self.turn = nil
    } else {
      self.turn = mark.other
    }
    return Change(Placement(cell: cell, mark: mark), turn: self.turn, hash: hash)
  }

  /// Puts a mark on a free cell by rules other than `line`. Apart from these, so that they cost the
  /// usual move nothing.
  ///
  /// - Throws: `notOpen`. The board is then unchanged.
  @inline(never)
  private mutating func placeByOtherRules(
    _ mark: Mark, at cell: Cell
  ) throws(MoveError) -> Change {
    if let open, !open.contains(cell) { throw .notOpen }
    lastOffset = offset(of: cell)
    text[lastOffset] = mark.rawValue
    freeCount &-= 1
    outcome = outcome(after: mark, at: cell)
    turn = outcome == nil ? mark.other : nil
    open = outcome == nil ? openCells(after: cell) : nil
    return Change(Placement(cell: cell, mark: mark), turn: turn, open: open, hash: hash)
  }

  /// Returns the outcome of a move by rules other than `line`; `nil` if the game goes on.
  private func outcome(after mark: Mark, at cell: Cell) -> Outcome? {
    if rules == .ultimate { return ultimateOutcome(after: mark) }
    if let line = decidingLine(through: cell) {
      return Outcome(winner: rules == .misere ? mark.other : mark, reason: .line, line: line)
    }
    return freeCount == 0 ? Outcome(winner: nil, reason: .full) : nil
  }

  /// Returns the open cells after a move, `nil` before the first one; `nil` if every free cell is
  /// open.
  private func openCells(after cell: Cell?) -> [Cell]? {
    switch rules {
    case .line, .misere: nil
    case .connect: lowestFreeCells
    case .ultimate: ultimateOpenCells(after: cell)
    }
  }

  /// Ends a running game because `loser` resigned, left or ran out of time. Does nothing if the
  /// game is over. `reason` must not be `line` or `full`, which only `place` can find.
  package mutating func end(_ reason: Outcome.Reason, by loser: Mark) {
    precondition(
      reason != .line && reason != .full, "Only a move can make a line or fill the board.")
    guard turn != nil else { return }
    turn = nil
    open = nil
    outcome = Outcome(winner: loser.other, reason: reason)
  }

  /// Applies a change that another board has made, without checking the rules.
  ///
  /// Returns `false`, and changes nothing, if a cell is not on the board.
  package mutating func apply(_ change: Change) -> Bool {
    guard shape.contains(change.placement.cell),
      change.open?.allSatisfy(shape.contains) ?? true
    else { return false }
    put(change.placement)
    lastOffset = offset(of: change.placement.cell)
    turn = change.turn
    open = change.open
    return true
  }

  /// Whether two boards show the same position. A copy of a remote board does not know its rules.
  package static func == (one: Board, other: Board) -> Bool {
    one.text == other.text && one.turn == other.turn && one.open == other.open
      && one.outcome == other.outcome && one.shape == other.shape
  }

  private static let emptyLetter: UInt8 = 0x2E

  /// The distance in `text` from a cell to the one below it.
  private var stride: Int { shape.columns &+ 1 }

  private func offset(of cell: Cell) -> Int { cell.row &* stride &+ cell.column }

  private mutating func put(_ placement: Placement) {
    let offset = offset(of: placement.cell)
    if text[offset] == Self.emptyLetter { freeCount &-= 1 }
    text[offset] = placement.mark.rawValue
  }

  /// All cells of a run of at least `inARow` equal marks through a cell, or `nil`.
  @inline(__always)
  private func decidingLine(through cell: Cell) -> [Cell]? {
    // Each direction by name, so that the compiler specializes the code for each.
    line(through: cell, .right) ?? line(through: cell, .down)
      ?? line(through: cell, .downRight) ?? line(through: cell, .downLeft)
  }

  @inline(__always)
  private func line(through cell: Cell, _ direction: Direction) -> [Cell]? {
    let step = direction.rows &* stride &+ direction.columns
    let before = equalMarks(from: offset(of: cell), step: 0 &- step)
    let after = equalMarks(from: offset(of: cell), step: step)
    guard before &+ 1 &+ after >= shape.inARow else { return nil }
    return (-before..<after + 1).map { cell.moved($0, direction) }
  }

  /// Counts the cells after an offset, in steps, that hold the same letter. A step off the board
  /// always ends on a `/` or outside `text`.
  @inline(__always)
  private func equalMarks(from offset: Int, step: Int) -> Int {
    let text = text.span
    let letter = text[offset]
    var count = 0
    var next = offset &+ step
    while text.indices.contains(next), text[next] == letter {
      count &+= 1
      next &+= step
    }
    return count
  }
}
