/// How a game ended.
package struct Outcome: Hashable, Sendable {
  /// The raw values are those of the wire.
  package enum Reason: String, CaseIterable, Sendable {
    /// Enough marks in a row; in `ultimate`, three boards in a row.
    case line
    /// No cell is free; in `ultimate`, every board is closed.
    case full
    case resigned
    /// The time for a move ran out.
    case timeout
    /// A disconnected player did not return in time.
    case abandoned
    /// A player left the match.
    case left
  }

  /// `nil` for a draw.
  package let winner: Mark?
  package let reason: Reason
  /// All cells of one line that decided the game, from top to bottom, then from left to right; in
  /// `ultimate` the cells of its three boards, board by board. `nil` if the game ended without a
  /// line.
  package let line: [Cell]?

  package init(winner: Mark?, reason: Reason, line: [Cell]? = nil) {
    self.winner = winner
    self.reason = reason
    self.line = line
  }
}
