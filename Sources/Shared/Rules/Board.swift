/// A board with its rules: whose turn it is, which moves hold, when the game is over. A pure value;
/// the authority in local play and on the server, a picture of the server's in remote play.
package struct Board: Equatable, Sendable {
  package let shape: BoardShape
  private var marks: [Mark?]
  private var free: Int
  /// Whose turn it is; `nil` when the game is over.
  package private(set) var turn: Mark?
  /// `nil` while the game runs, and in a picture of somebody else's board.
  package private(set) var outcome: Outcome?

  /// An empty board, X to move.
  package init(_ shape: BoardShape) {
    self.shape = shape
    marks = Array(repeating: nil, count: shape.cellCount)
    free = shape.cellCount
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
        self[Cell(row: row, column: column)] = mark
      }
    }
    self.turn = turn
  }

  /// The mark on a cell, which must lie on the board; `nil` where it is free.
  package private(set) subscript(cell: Cell) -> Mark? {
    get { marks[shape.index(of: cell)] }
    set {
      let index = shape.index(of: cell)
      if (marks[index] == nil) != (newValue == nil) { free += newValue == nil ? 1 : -1 }
      marks[index] = newValue
    }
  }

  /// The board's rows as they stand on the wire, one letter a cell.
  package var rows: [String] {
    (0..<shape.rows).map { row in
      String(
        decoding: (0..<shape.columns).map { column in
          self[Cell(row: row, column: column)]?.rawValue ?? Self.emptyLetter
        }, as: UTF8.self)
    }
  }

  /// FNV-1a, 32 bits, of the rows joined by `/` (the parameters are those of
  /// draft-eastlake-fnv).
  package var hash: UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    for index in marks.indices {
      if index > 0, index % shape.columns == 0 { hash = (hash ^ 0x2F) &* 0x0100_0193 }
      hash = (hash ^ UInt32(marks[index]?.rawValue ?? Self.emptyLetter)) &* 0x0100_0193
    }
    return hash
  }

  package var freeCells: [Cell] {
    marks.indices.filter { marks[$0] == nil }.map(shape.cell(at:))
  }

  /// Puts a mark on a cell; after the last move `outcome` tells how the game ended.
  ///
  /// - Throws: the first `Refusal` that fits; the board is then as it was.
  package mutating func place(_ mark: Mark, at cell: Cell) throws(Refusal) -> Change {
    guard let turn else { throw .noGame }
    guard mark == turn else { throw .notYourTurn }
    guard shape.contains(cell) else { throw .outOfBoard }
    guard self[cell] == nil else { throw .cellTaken }
    self[cell] = mark
    if let line = winningLine(through: cell) {
      outcome = Outcome(winner: mark, reason: .line, line: line)
    } else if free == 0 {
      outcome = Outcome(winner: nil, reason: .full)
    }
    self.turn = outcome == nil ? mark.other : nil
    return Change(Placement(cell: cell, mark: mark), turn: self.turn, hash: hash)
  }

  /// Ends a running game that `loser` gave up, left or let time out; one that is over stays as it
  /// is.
  package mutating func end(_ reason: Outcome.Reason, by loser: Mark) {
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
    self[change.placement.cell] = change.placement.mark
    for placement in change.others { self[placement.cell] = placement.mark }
    turn = change.turn
    return true
  }

  private static let emptyLetter: UInt8 = 0x2E

  /// The four directions of a line, each with its first cell topmost, then leftmost.
  private static let directions: [(row: Int, column: Int)] = [(0, 1), (1, 0), (1, 1), (1, -1)]

  /// The first `inARow` cells of a run of equal marks through a cell that is long enough. That
  /// they always contain the cell follows from the order of play: before it was marked no run
  /// was long enough.
  private func winningLine(through cell: Cell) -> [Cell]? {
    for step in Self.directions {
      func ahead(_ count: Int) -> Cell {
        Cell(row: cell.row + count * step.row, column: cell.column + count * step.column)
      }
      func isSame(_ cell: Cell, _ mark: Mark?) -> Bool {
        shape.contains(cell) && self[cell] == mark
      }
      let mark = self[cell]
      var first = 0
      while isSame(ahead(first - 1), mark) { first -= 1 }
      var last = 0
      while isSame(ahead(last + 1), mark) { last += 1 }
      if last - first + 1 >= shape.inARow {
        return (first..<first + shape.inARow).map(ahead)
      }
    }
    return nil
  }
}
