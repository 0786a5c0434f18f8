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
  /// The cells where the next mark may go, in row-major order; `nil` if every free cell is open,
  /// and when the game is over.
  package let open: [Cell]?

  @inline(__always)
  package init(_ placement: Placement, turn: Mark?, open: [Cell]? = nil, hash: UInt32) {
    self.placement = placement
    self.turn = turn
    self.open = open
    self.hash = hash
  }
}
