/// What one side threatens with a free cell.
struct Threats {
  /// The cell is all that a line lacks: a mark here wins.
  private(set) var wins = false
  /// The places of the first two cells that a mark here would leave as all that a line lacks.
  private(set) var first: Int?
  private(set) var second: Int?
  /// There is a third such cell.
  private(set) var hasThird = false

  /// A mark here threatens to win with two cells, of which the opponent can take but one.
  var isFork: Bool { second != nil }

  /// Counts a line that lacks this cell and at most one more, `partner`.
  mutating func count(lineWith partner: Int?) {
    guard let partner else {
      wins = true
      return
    }
    if first == nil || first == partner {
      first = partner
    } else if second == nil || second == partner {
      second = partner
    } else {
      hasThird = true
    }
  }
}
