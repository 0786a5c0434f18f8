/// A mark put on a cell.
package struct Placement: Hashable, Sendable {
  package let cell: Cell
  package let mark: Mark

  package init(cell: Cell, mark: Mark) {
    self.cell = cell
    self.mark = mark
  }
}

/// What one move did to a board: the diff that every view is told, never the whole board.
package struct Change: Hashable, Sendable {
  /// The cell that changed.
  package let placement: Placement
  /// Further cells of the same move. Empty in every game of this project; apart from the first one
  /// so that the usual move costs no allocation.
  package let others: [Placement]
  /// Whose turn it is now; `nil` when the game is over.
  package let turn: Mark?
  /// `Board.hash` after the change.
  package let hash: UInt32

  package init(_ placement: Placement, others: [Placement] = [], turn: Mark?, hash: UInt32) {
    self.placement = placement
    self.others = others
    self.turn = turn
    self.hash = hash
  }
}
