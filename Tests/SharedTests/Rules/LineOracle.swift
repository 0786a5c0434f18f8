import Shared

/// The rules once more, told in another way and without a thought for speed, to hold the board
/// against.
struct LineOracle {
  /// Each line that wins, its cells from top to bottom, then from left to right.
  let lines: [[Cell]]
  private let shape: BoardShape

  init(_ shape: BoardShape) {
    self.shape = shape
    var lines: [[Cell]] = []
    if shape.inARow <= max(shape.rows, shape.columns) {
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let line = (0..<shape.inARow).map {
              Cell(row: row + $0 * down, column: column + $0 * right)
            }
            if line.allSatisfy(shape.contains), !lines.contains(line) { lines.append(line) }
          }
        }
      }
    }
    self.lines = lines
  }

  /// Who has a line, found by reading the rows, columns and diagonals as text.
  func winner(rows: [String]) -> Mark? {
    guard shape.inARow <= max(shape.rows, shape.columns) else { return nil }
    let texts = rows + columns(rows) + columns(sheared(rows)) + columns(sheared(rows.reversed()))
    return Mark.allCases.first { mark in
      let line = String(repeating: mark.letter, count: shape.inARow)
      return texts.contains { Self.text($0, contains: line) }
    }
  }

  private func columns(_ rows: [String]) -> [String] {
    let letters = rows.map { Array($0.utf8) }
    return (0..<(letters.first?.count ?? 0)).map { column in
      String(decoding: letters.map { $0[column] }, as: UTF8.self)
    }
  }

  /// Each row moved one column further than the row above it: diagonals become columns.
  private func sheared(_ rows: [String]) -> [String] {
    rows.enumerated().map { index, row in
      String(repeating: " ", count: index) + row
        + String(repeating: " ", count: rows.count - 1 - index)
    }
  }

  private static func text(_ text: String, contains line: String) -> Bool {
    let text = Array(text.utf8)
    let line = Array(line.utf8)
    guard line.count <= text.count else { return false }
    return (0...text.count - line.count).contains { text[$0..<$0 + line.count].elementsEqual(line) }
  }
}
