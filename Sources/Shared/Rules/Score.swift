/// The score of a series, by the marks of the game that runs or has just ended.
package struct Score: Hashable, Sendable {
  package var x: Int
  package var o: Int
  package var draws: Int

  package init(x: Int = 0, o: Int = 0, draws: Int = 0) {
    self.x = x
    self.o = o
    self.draws = draws
  }

  /// The same score once the players have changed marks.
  package var swapped: Score { Score(x: o, o: x, draws: draws) }

  /// Counts the end of a game.
  package mutating func count(_ outcome: Outcome) {
    switch outcome.winner {
    case .x: x += 1
    case .o: o += 1
    case nil: draws += 1
    }
  }
}
