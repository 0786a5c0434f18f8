/// A mark that was put on a cell.
package struct Placement: Hashable, Sendable {
  package let cell: Cell
  package let mark: Mark

  package init(cell: Cell, mark: Mark) {
    self.cell = cell
    self.mark = mark
  }
}

/// What one move changed on a board. Views get this diff, never the whole board.
package struct Change: Hashable, Sendable {
  /// The cell that changed.
  package let placement: Placement
  /// Whose turn it is now; `nil` when the game is over.
  package let turn: Mark?
  /// `Board.hash` after the change.
  package let hash: UInt32
  /// `nil` for most games, so that a usual move allocates nothing and copies one empty reference.
  private let extra: Extra?

  /// What only the moves of some games have.
  private final class Extra: Hashable, Sendable {
    let others: [Placement]
    let open: [Cell]?

    init(_ others: [Placement], _ open: [Cell]?) {
      self.others = others
      self.open = open
    }

    static func == (one: Extra, other: Extra) -> Bool {
      one.others == other.others && one.open == other.open
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(others)
      hasher.combine(open)
    }
  }

  @inline(__always)
  package init(
    _ placement: Placement, others: [Placement] = [], turn: Mark?, open: [Cell]? = nil,
    hash: UInt32
  ) {
    self.placement = placement
    self.turn = turn
    self.hash = hash
    extra = others.isEmpty && open == nil ? nil : Extra(others, open)
  }

  /// Whether the change is only one cell, after which every free cell is open.
  package var isPlain: Bool { extra == nil }

  /// Further cells that the same move changed. Empty in every game of this project.
  package var others: [Placement] { extra?.others ?? [] }

  /// The cells where the next mark may go, in row-major order; `nil` if every free cell is open,
  /// and when the game is over.
  package var open: [Cell]? { extra?.open }
}
