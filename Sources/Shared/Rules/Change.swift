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
  /// Further cells that the same move changed. Empty in every game of this project, and separate
  /// from the first so that a usual move allocates nothing.
  package let others: [Placement]
  /// Whose turn it is now; `nil` when the game is over.
  package let turn: Mark?
  /// The cells where the next mark may go, in row-major order; `nil` if every free cell is open, and
  /// when the game is over.
  package let open: [Cell]?
  /// `Board.hash` after the change.
  package let hash: UInt32

  package init(
    _ placement: Placement, others: [Placement] = [], turn: Mark?, open: [Cell]? = nil,
    hash: UInt32
  ) {
    self.placement = placement
    self.others = others
    self.turn = turn
    self.open = open
    self.hash = hash
  }
}
