import Shared

extension BoardShape {
  /// The shapes that tests go through, as rows, columns and marks in a row: square and not, with
  /// one cell, with one row, with lines that no game can make.
  static let samples: [BoardShape] = [
    (3, 3, 3), (4, 4, 4), (5, 4, 3), (4, 5, 4), (2, 3, 2), (3, 3, 2), (3, 3, 1), (1, 1, 1),
    (1, 9, 3), (9, 1, 3), (2, 2, 5), (3, 3, .max), (19, 19, 5),
  ].compactMap { BoardShape(rows: $0, columns: $1, inARow: $2) }
}
