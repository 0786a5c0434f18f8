import Shared

/// A cell as the record of a match keeps it.
struct RecordedCell {
  private let row: UInt8
  private let column: UInt8

  /// `nil` where it is too far out to be kept so. No cell is kept as any.
  init?(_ cell: Cell?) {
    guard let row = UInt8(exactly: cell?.row ?? 0), let column = UInt8(exactly: cell?.column ?? 0)
    else { return nil }
    self.row = row
    self.column = column
  }

  var cell: Cell { Cell(row: Int(row), column: Int(column)) }
}
