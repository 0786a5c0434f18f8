/// A part of the screen.
struct Area: Equatable {
  var corner: Position
  var size: Size

  /// The row after the last one.
  var bottom: Int { corner.row + size.rows }

  func contains(_ position: Position) -> Bool {
    (corner.row..<bottom).contains(position.row)
      && (corner.column..<corner.column + size.columns).contains(position.column)
  }
}
