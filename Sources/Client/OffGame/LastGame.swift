import Shared

/// A game that has just ended. OffGame shows it once more.
struct LastGame: Equatable {
  let players: PerMark<Player>
  /// The marks that were played at this client.
  let seat: Seat
  let board: Board
  let outcome: Outcome
}
