import Shared

/// A move as the record of a match keeps it: a tenth of the size of its line, which can be written
/// again.
struct RecordedMove {
  private let hash: UInt32
  /// In milliseconds, in which the line tells it.
  private let leftMilliseconds: UInt32?
  private let row: UInt8
  private let column: UInt8
  private let mark: Mark
  private let turn: Mark?

  /// `nil` where a number is larger than it can be in a game.
  init?(_ placement: Placement, turn: Mark?, left: Duration?, hash: UInt32) {
    guard let row = UInt8(exactly: placement.cell.row),
      let column = UInt8(exactly: placement.cell.column)
    else { return nil }
    if let left {
      guard let milliseconds = UInt32(exactly: left.milliseconds) else { return nil }
      leftMilliseconds = milliseconds
    } else {
      leftMilliseconds = nil
    }
    self.hash = hash
    self.row = row
    self.column = column
    mark = placement.mark
    self.turn = turn
  }

  var change: Change {
    Change(
      Placement(cell: Cell(row: Int(row), column: Int(column)), mark: mark), turn: turn, hash: hash)
  }

  var left: Duration? { leftMilliseconds.map { .milliseconds($0) } }
}
