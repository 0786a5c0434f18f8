/// Limits how often servers may move a session before it is resumed. Servers that do not agree
/// could move it for ever.
struct MoveLimiter {
  /// The number of moves within `window`. One more counts as a lost connection.
  static let maxMoves = 10
  static let window: Duration = .seconds(5)

  private var moves: [Duration] = []

  /// Counts a move, and returns whether to follow it.
  mutating func allowsMove(at now: Duration) -> Bool {
    moves.removeAll { now - $0 >= Self.window }
    guard moves.count < Self.maxMoves else { return false }
    moves.append(now)
    return true
  }

  /// The session has been resumed.
  mutating func reset() {
    moves = []
  }
}
