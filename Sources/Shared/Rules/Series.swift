/// One game after another between the same two players, who change marks from game to game. The
/// server's match and local play both keep their score in one.
package struct Series: Equatable, Sendable {
  /// By the marks of the game that runs or has just ended.
  package private(set) var players: PerMark<Player>
  package private(set) var score: Score

  /// The players of the game that is next to end, and the score before it.
  package init(_ players: PerMark<Player>, score: Score = Score()) {
    self.players = players
    self.score = score
  }

  /// Counts the end of the game that ran.
  package mutating func gameDidEnd(with outcome: Outcome) {
    score.count(outcome)
  }

  /// Changes the marks for the next game; whoever was X is now O.
  package mutating func changeMarks() {
    players = players.swapped
    score = score.swapped
  }
}
