/// Who sits at a mark.
package enum Player: Hashable, Sendable {
  case person(String)
  case bot

  /// The name of the bot, which no person can have.
  package static let botName = "bot"

  package var name: String {
    switch self {
    case .person(let name): name
    case .bot: Self.botName
    }
  }
}

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
  package mutating func swapMarks() {
    players = players.swapped
    score = score.swapped
  }
}
