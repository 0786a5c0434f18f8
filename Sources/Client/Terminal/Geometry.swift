/// How large a terminal, or a part of it, is; in cells. Never negative.
struct Size: Equatable {
  var rows: Int
  var columns: Int

  init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// Whether something of the other size has room in this.
  func holds(_ other: Size) -> Bool {
    rows >= other.rows && columns >= other.columns
  }
}

/// A cell of the terminal; 0, 0 is the one at the top left.
struct Position: Equatable {
  var row: Int
  var column: Int
}
