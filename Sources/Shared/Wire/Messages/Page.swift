/// The reply to `list`: as many items as fit into one line.
package struct Page<Item> {
  package let items: [Item]
  /// The number of items that did not fit.
  package let more: Int

  package init(_ items: [Item], more: Int = 0) {
    self.items = items
    self.more = more
  }
}

extension Page {
  /// The number of all items, including those that did not fit.
  package var total: Int { items.count + more }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Sendable where Item: Sendable {}

/// A game that the server offers. The client may be unable to play it.
package struct GameSummary: Equatable, Sendable {
  package let id: String
  package let name: String
  package let rows: Int
  package let columns: Int
  package let inARow: Int

  package init(id: String, name: String, rows: Int, columns: Int, inARow: Int) {
    self.id = id
    self.name = name
    self.rows = rows
    self.columns = columns
    self.inARow = inARow
  }
}

/// A match in the reply to `list matches`.
package struct MatchSummary: Equatable, Sendable {
  package let match: String
  package let game: String
  package let players: PerMark<String>
  /// `false` between games.
  package let isRunning: Bool
  /// The score before the running game, or after the last one; `nil` while no game has ended.
  package let score: Score?

  package init(
    match: String, game: String, players: PerMark<String>, isRunning: Bool, score: Score? = nil
  ) {
    self.match = match
    self.game = game
    self.players = players
    self.isRunning = isRunning
    self.score = score
  }
}

/// A player in the reply to `list players`.
package struct PlayerSummary: Equatable, Sendable {
  package let name: String
  package let place: SessionPlace
  /// The game that the player waits for, plays or watches; `nil` in the lobby.
  package let game: String?
  /// The rating of a registered player in that game, or in the default one; `nil` for guests.
  package let rating: Int?

  package init(name: String, place: SessionPlace, game: String?, rating: Int? = nil) {
    self.name = name
    self.place = place
    self.game = game
    self.rating = rating
  }
}

/// Where a logged-in session is. The raw values are those of the wire.
package enum SessionPlace: String, CaseIterable, Sendable {
  case lobby, waiting, playing, watching
}
