import Shared

/// A second, slow implementation of the rules, to compare the board with.
struct LineOracle {
  /// Each line that wins, with its cells from top to bottom, then from left to right.
  let lines: [[Cell]]
  private let inARow: Int

  init(_ shape: BoardShape) {
    inARow = shape.inARow
    var lines: [[Cell]] = []
    var known: Set<[Cell]> = []
    for start in shape.inARow > max(shape.rows, shape.columns) ? 0..<0 : 0..<shape.cellCount {
      let (row, column) = start.quotientAndRemainder(dividingBy: shape.columns)
      for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        let line = (0..<shape.inARow).map {
          Cell(row: row + $0 * down, column: column + $0 * right)
        }
        if line.allSatisfy(shape.contains), known.insert(line).inserted { lines.append(line) }
      }
    }
    self.lines = lines
  }

  /// The mark that has a line, found by reading rows, columns and diagonals as text.
  func winner(rows: [String]) -> Mark? {
    let rows = rows.map { Array($0.utf8) }
    let texts =
      rows + Self.columns(rows) + Self.columns(Self.sheared(rows))
      + Self.columns(Self.sheared(rows.reversed()))
    return Mark.allCases.first { mark in
      texts.contains { Self.longestRun(of: mark.rawValue, in: $0) >= inARow }
    }
  }

  private static func columns(_ rows: [[UInt8]]) -> [[UInt8]] {
    (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column] } }
  }

  /// Each row shifted by one column more than the row above it, so that diagonals become columns.
  private static func sheared(_ rows: [[UInt8]]) -> [[UInt8]] {
    rows.enumerated().map { index, row in
      Array(repeating: 0, count: index) + row + Array(repeating: 0, count: rows.count - 1 - index)
    }
  }

  private static func longestRun(of letter: UInt8, in text: [UInt8]) -> Int {
    var (longest, run) = (0, 0)
    for found in text {
      run = found == letter ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
