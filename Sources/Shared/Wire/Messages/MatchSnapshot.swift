/// A match as it is now, for who cannot be told by diffs.
package struct MatchSnapshot: Equatable, Sendable {
  /// The id of the match.
  package let match: String
  /// Of the last event that it contains; it has no number of its own.
  package let seq: Int
  package let state: GameState
  /// Whose connection is there.
  package let online: PerMark<Bool>
  /// How the last game ended; `nil` while a game runs.
  package let outcome: Outcome?

  package init(
    match: String, seq: Int, _ state: GameState, online: PerMark<Bool>, outcome: Outcome?
  ) {
    self.match = match
    self.seq = seq
    self.state = state
    self.online = online
    self.outcome = outcome
  }
}
