import Shared

/// A move as the record of a match keeps it: a tenth of the size of its line, which can be written
/// again.
struct RecordedMove {
  private let hash: UInt32
  private let recordedLeft: RecordedTime
  private let cell: RecordedCell
  private let mark: Mark
  private let turn: Mark?

  /// `nil` where a number is too large to be kept so.
  init?(_ placement: Placement, turn: Mark?, left: Duration?, hash: UInt32) {
    guard let cell = RecordedCell(placement.cell), let left = RecordedTime(left) else { return nil }
    self.hash = hash
    recordedLeft = left
    self.cell = cell
    mark = placement.mark
    self.turn = turn
  }

  var change: Change {
    Change(Placement(cell: cell.cell, mark: mark), turn: turn, hash: hash)
  }

  /// The time for the next move.
  var left: Duration? { recordedLeft.time }
}
