/// Where one of the lines that win lies on a board: the places of its cells in row-major order.
struct LineIndices {
  let start: Int
  let step: Int

  subscript(offset: Int) -> Int { start + offset * step }
}

extension BoardShape {
  /// Where `inARow` cells lie in a straight line; empty where the board has no room for one.
  ///
  /// At most 1,444 of them, those of 19 × 19 with 1 in a row.
  var lines: [LineIndices] {
    guard inARow <= max(rows, columns) else { return [] }
    var lines: [LineIndices] = []
    for direction in Direction.allCases {
      let step = direction.rows * columns + direction.columns
      for start in 0..<cellCount
      where contains(cell(at: start).moved(inARow - 1, direction)) {
        lines.append(LineIndices(start: start, step: step))
      }
    }
    return lines
  }
}
