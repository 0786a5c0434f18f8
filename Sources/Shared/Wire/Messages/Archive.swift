/// Finished games, the latest first: the reply to `history`.
package struct HistoryPage: Equatable, Sendable {
  package let items: [HistoryItem]
  /// The `before` of the next page; `nil` if there are no older games.
  package let next: Int?

  package init(_ items: [HistoryItem], next: Int? = nil) {
    self.items = items
    self.next = next
  }
}

/// A finished game.
package struct HistoryItem: Equatable, Sendable {
  /// Goes up with the ends of the games.
  package let id: Int
  package let match: String
  package let game: String
  package let players: PerMark<String>
  /// Without the cells of its line.
  package let outcome: Outcome
  /// How many marks were placed.
  package let moves: Int
  /// How long ago the game ended.
  package let ago: Duration

  package init(
    id: Int, match: String, game: String, players: PerMark<String>, outcome: Outcome, moves: Int,
    ago: Duration
  ) {
    self.id = id
    self.match = match
    self.game = game
    self.players = players
    self.outcome = outcome
    self.moves = moves
    self.ago = ago
  }
}

/// The best registered players of a game: the reply to `leaderboard`.
package struct Leaderboard: Equatable, Sendable {
  package let game: String
  package let items: [LeaderboardItem]

  package init(game: String, _ items: [LeaderboardItem]) {
    self.game = game
    self.items = items
  }
}

/// A player in a leaderboard.
package struct LeaderboardItem: Equatable, Sendable {
  /// From 1.
  package let rank: Int
  package let name: String
  package let rating: Int
  /// Whether the rating rests on few games.
  package let isProvisional: Bool
  /// The numbers of rated games.
  package let won: Int
  package let lost: Int
  package let drawn: Int

  package init(
    rank: Int, name: String, rating: Int, isProvisional: Bool, won: Int, lost: Int, drawn: Int
  ) {
    self.rank = rank
    self.name = name
    self.rating = rating
    self.isProvisional = isProvisional
    self.won = won
    self.lost = lost
    self.drawn = drawn
  }
}

/// What precedes the events of a stored match.
package struct ReplayHeader: Equatable, Sendable {
  package let match: String
  package let game: String
  /// By the marks of the first game.
  package let players: PerMark<String>
  /// The number of the match's last event.
  package let last: Int

  package init(match: String, game: String, players: PerMark<String>, last: Int) {
    self.match = match
    self.game = game
    self.players = players
    self.last = last
  }
}
