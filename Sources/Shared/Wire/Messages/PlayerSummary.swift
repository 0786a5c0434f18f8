/// Somebody in the answer to `list players`.
package struct PlayerSummary: Equatable, Sendable {
  package let name: String
  package let place: SessionPlace
  /// Waited for, played or watched; `nil` in the lobby.
  package let game: String?

  package init(name: String, place: SessionPlace, game: String?) {
    self.name = name
    self.place = place
    self.game = game
  }
}
