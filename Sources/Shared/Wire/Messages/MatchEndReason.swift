/// Why a match is over. The raw values are those of the wire.
package enum MatchEndReason: String, CaseIterable, Sendable {
  /// A player left.
  case left
  /// A player's lost connection did not come back in time.
  case abandoned
  /// The server stops.
  case shutdown
}
