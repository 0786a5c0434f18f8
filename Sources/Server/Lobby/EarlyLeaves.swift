import Shared

/// Counts the matches that a player has left before the first move, and delays the player's next
/// requests, so that other players are paired first.
struct EarlyLeaves {
  /// The count goes down by one in each such time since the last early leave.
  private static let fading: Duration = .seconds(60)
  /// In seconds.
  private static let maxHold = 60

  private var count = 0
  private var last = Duration.zero

  mutating func add(at now: Duration) {
    count = number(at: now) + 1
    last = now
  }

  /// Returns how long a request that is made now is held back: not at all after the first early
  /// leave, and one second longer after each further one, up to a minute.
  func hold(at now: Duration) -> Duration {
    .seconds(min(Self.maxHold, max(0, number(at: now) - 1)))
  }

  private func number(at now: Duration) -> Int { max(0, count - Int((now - last) / Self.fading)) }
}
