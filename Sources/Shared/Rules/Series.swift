/// A player of a game: a person or the bot.
package enum Player: Hashable, Sendable {
  case person(String)
  case bot

  /// The name of the bot, which no person can have.
  package static let botName = "bot"

  package var isBot: Bool {
    if case .bot = self { true } else { false }
  }

  package var name: String {
    switch self {
    case .person(let name): name
    case .bot: Self.botName
    }
  }
}

/// The score of a series, by the marks of the current game or, between games, of the last one.
package struct Score: Hashable, Sendable {
  package var x: Int
  package var o: Int
  package var draws: Int

  /// The number of games that have ended.
  package var games: Int { x + o + draws }

  package init(x: Int = 0, o: Int = 0, draws: Int = 0) {
    self.x = x
    self.o = o
    self.draws = draws
  }

  /// The same score after the players have swapped marks.
  package var swapped: Score { Score(x: o, o: x, draws: draws) }

  /// Counts a finished game.
  package mutating func count(_ outcome: Outcome) {
    switch outcome.winner {
    case .x: x += 1
    case .o: o += 1
    case nil: draws += 1
    }
  }
}

/// A series of games between two players, who swap marks after each game. Both the server's match
/// and local play keep the score in a series.
package struct Series: Equatable, Sendable {
  /// By the marks of the current game or, between games, of the last one.
  package private(set) var players: PerMark<Player>
  package private(set) var score: Score
  /// The marks of the players, compared with the first game of this series.
  package private(set) var order = MarkOrder()

  /// Makes a series with the players of its next game, and the score so far.
  package init(_ players: PerMark<Player>, score: Score = Score()) {
    self.players = players
    self.score = score
  }

  /// Counts a finished game.
  package mutating func gameDidEnd(with outcome: Outcome) {
    score.count(outcome)
  }

  /// Swaps the players' marks for the next game.
  package mutating func swapMarks() {
    players = players.swapped
    score = score.swapped
    order.swap()
  }
}

extension Series {
  package var hasBot: Bool { players.x.isBot || players.o.isBot }
}
