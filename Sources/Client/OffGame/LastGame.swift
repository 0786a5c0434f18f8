import Shared

/// A game that has just ended, for a last look at it.
struct LastGame: Equatable {
  let players: PerMark<Player>
  /// Which marks were played here.
  let seat: Seat
  let board: Board
  let outcome: Outcome
}
