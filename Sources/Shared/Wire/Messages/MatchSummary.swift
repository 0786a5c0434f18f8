/// A match in the answer to `list matches`.
package struct MatchSummary: Equatable, Sendable {
  package let match: String
  package let game: String
  package let players: PerMark<String>
  /// `false` between games.
  package let isRunning: Bool

  package init(match: String, game: String, players: PerMark<String>, isRunning: Bool) {
    self.match = match
    self.game = game
    self.players = players
    self.isRunning = isRunning
  }
}
