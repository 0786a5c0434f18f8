@testable import Client

extension Frame {
  /// The characters of each row, without their styles.
  var lines: [String] {
    (0..<size.rows).map { row in
      (0..<size.columns).reduce(into: "") { line, column in
        if let character = self[row, column].character { line.append(character) }
      }
    }
  }

  init(rows: Int, columns: Int) {
    self.init(size: Size(rows: rows, columns: columns))
  }
}
