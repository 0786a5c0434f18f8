/// A board with its rules: whose turn it is, which moves hold, when the game is over. A pure value;
/// the authority in local play and on the server, a picture of the server's in remote play.
package struct Board: Equatable, Sendable {
  package let shape: BoardShape
  /// A letter a cell in row-major order, as the rows stand on the wire.
  private var letters: [UInt8]
  /// Whose turn it is; `nil` when the game is over.
  package private(set) var turn: Mark?
  /// `nil` while the game runs, and in a picture of somebody else's board.
  package private(set) var outcome: Outcome?

  /// An empty board, X to move.
  package init(_ shape: BoardShape) {
    self.shape = shape
    letters = Array(repeating: Self.emptyLetter, count: shape.cellCount)
    turn = .x
  }

  /// A picture of a board, from its rows as they stand on the wire: `["X.O", ".X.", "..."]`.
  ///
  /// `nil` where the rows do not have the shape, or hold anything but `X`, `O` and `.`.
  package init?(_ shape: BoardShape, rows: [String], turn: Mark?) {
    guard rows.count == shape.rows else { return nil }
    self.init(shape)
    for (row, text) in rows.enumerated() {
      guard text.utf8.count == shape.columns else { return nil }
      for (column, byte) in text.utf8.enumerated() where byte != Self.emptyLetter {
        guard let mark = Mark(rawValue: byte) else { return nil }
        put(Placement(cell: Cell(row: row, column: column), mark: mark))
      }
    }
    self.turn = turn
  }

  /// The mark on a cell, which must lie on the board; `nil` where it is free.
  package subscript(cell: Cell) -> Mark? { mark(at: shape.index(of: cell)) }

  /// The mark at a place in row-major order.
  func mark(at place: Int) -> Mark? { Mark(rawValue: letters[place]) }

  /// The board's rows as they stand on the wire, one letter a cell.
  package var rows: [String] {
    (0..<shape.rows).map { String(decoding: letters(ofRow: $0), as: UTF8.self) }
  }

  /// FNV-1a, 32 bits, of the rows joined by `/` (the parameters are those of
  /// draft-eastlake-fnv).
  package var hash: UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    let letters = letters.span
    var start = 0
    while start < letters.count {
      if start > 0 { hash = (hash ^ 0x2F) &* 0x0100_0193 }
      for place in start..<start &+ shape.columns {
        hash = (hash ^ UInt32(letters[place])) &* 0x0100_0193
      }
      start &+= shape.columns
    }
    return hash
  }

  /// The cells without a mark, in row-major order.
  package var freeCells: [Cell] {
    letters.indices.filter { letters[$0] == Self.emptyLetter }.map(shape.cell(at:))
  }

  /// Puts a mark on a cell; after the last move `outcome` tells how the game ended.
  ///
  /// - Throws: the first `Refusal` that fits; the board is then as it was.
  package mutating func place(_ mark: Mark, at cell: Cell) throws(Refusal) -> Change {
    guard let turn else { throw .noGame }
    guard mark == turn else { throw .notYourTurn }
    guard shape.contains(cell) else { throw .outOfBoard }
    guard self[cell] == nil else { throw .cellTaken }
    let placement = Placement(cell: cell, mark: mark)
    put(placement)
    if let line = winningLine(through: cell) {
      outcome = Outcome(winner: mark, reason: .line, line: line)
    } else if !letters.contains(Self.emptyLetter) {
      outcome = Outcome(winner: nil, reason: .full)
    }
    self.turn = outcome == nil ? mark.other : nil
    return Change(placement, turn: self.turn, hash: hash)
  }

  /// Ends a running game that `loser` gave up, left or let time out; one that is over stays as it
  /// is. The reason is none of those that `place` finds.
  package mutating func end(_ reason: Outcome.Reason, by loser: Mark) {
    precondition(reason != .line && reason != .full, "Only a move makes a line or fills a board.")
    guard turn != nil else { return }
    turn = nil
    outcome = Outcome(winner: loser.other, reason: reason)
  }

  /// Takes over a change that another board has made, without asking the rules.
  ///
  /// Answers `false`, and changes nothing, where a cell is not on the board.
  package mutating func apply(_ change: Change) -> Bool {
    guard shape.contains(change.placement.cell),
      change.others.allSatisfy({ shape.contains($0.cell) })
    else { return false }
    put(change.placement)
    for placement in change.others { put(placement) }
    turn = change.turn
    return true
  }

  private static let emptyLetter: UInt8 = 0x2E

  private func letters(ofRow row: Int) -> ArraySlice<UInt8> {
    letters[row * shape.columns..<(row + 1) * shape.columns]
  }

  private mutating func put(_ placement: Placement) {
    letters[shape.index(of: placement.cell)] = placement.mark.rawValue
  }

  /// The first `inARow` cells of a run of equal marks through a cell that is long enough. That
  /// they always contain the cell follows from the order of play: before it was marked no run
  /// was long enough.
  private func winningLine(through cell: Cell) -> [Cell]? {
    // Each by name, so that the compiler makes of each what it needs and no more.
    line(through: cell, .right) ?? line(through: cell, .down)
      ?? line(through: cell, .downRight) ?? line(through: cell, .downLeft)
  }

  @inline(__always)
  private func line(through cell: Cell, _ direction: Direction) -> [Cell]? {
    let before = equalMarks(from: cell, rows: -direction.rows, columns: -direction.columns)
    let after = equalMarks(from: cell, rows: direction.rows, columns: direction.columns)
    guard before + 1 + after >= shape.inARow else { return nil }
    return (-before..<shape.inARow - before).map { cell.moved($0, direction) }
  }

  /// How many cells on end hold the same mark as `cell` does, one way from it and without it.
  @inline(__always)
  private func equalMarks(from cell: Cell, rows: Int, columns: Int) -> Int {
    let letters = letters.span
    var place = shape.index(of: cell)
    let letter = letters[place]
    let step = rows &* shape.columns &+ columns
    var count = 0
    var next = Cell(row: cell.row &+ rows, column: cell.column &+ columns)
    while shape.contains(next) {
      place &+= step
      guard letters[place] == letter else { break }
      count &+= 1
      next = Cell(row: next.row &+ rows, column: next.column &+ columns)
    }
    return count
  }
}
