/// The size of a terminal, or of a part of it, in cells. Never negative.
struct Size: Equatable {
  var rows: Int
  var columns: Int

  init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// Returns whether an area of another size fits into this one.
  func holds(_ other: Size) -> Bool {
    rows >= other.rows && columns >= other.columns
  }
}

/// The position of a cell of the terminal. The top left cell is at 0, 0.
struct Position: Equatable {
  var row: Int
  var column: Int
}
