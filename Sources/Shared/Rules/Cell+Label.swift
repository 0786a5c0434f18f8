/// How people write a cell: the letter of its column and the number of its row, which count from
/// the top left, as in `a1`.
extension Cell {
  /// Reads a label, in small or capital letters. The cell need not be on the board.
  ///
  /// Returns `nil` unless the text is one of the letters of the Latin alphabet and a number from 1
  /// to 99 without a sign or a leading zero.
  package init?(label: some StringProtocol) {
    let bytes = Array(label.utf8)
    guard (2...3).contains(bytes.count) else { return nil }
    let letter = bytes[0] | 0x20
    let digits = bytes.dropFirst()
    guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      digits.first != UInt8(ascii: "0")
    else { return nil }
    self.init(
      row: digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } - 1,
      column: Int(letter - UInt8(ascii: "a")))
  }

  /// The cell as people write it. Its row and column must be on some board.
  package var label: String { Self.columnLabel(column) + Self.rowLabel(row) }

  /// The label of a column, at the edge of a board: `a`, `b` …
  package static func columnLabel(_ column: Int) -> String {
    precondition(BoardShape.coordinates.contains(column), "A board has no such column.")
    return String(UnicodeScalar(UInt8(ascii: "a") + UInt8(column)))
  }

  /// The label of a row, at the edge of a board: `1`, `2` …
  package static func rowLabel(_ row: Int) -> String { String(row + 1) }
}
