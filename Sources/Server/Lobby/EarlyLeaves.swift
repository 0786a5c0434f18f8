import Shared

/// How often a player has left a match before its first move: the more often, the longer that player
/// waits to be paired, while others are paired at once.
struct EarlyLeaves {
  /// Each full minute without another one makes up for one.
  private static let fading: Duration = .seconds(60)
  private static let maxHold = 60

  private var count = 0
  private var last = Duration.zero

  mutating func add(at now: Duration) {
    count = number(at: now) + 1
    last = now
  }

  /// How long a request that is made now is held back: not at all after the first one, and a second
  /// more after each further one.
  func hold(at now: Duration) -> Duration {
    .seconds(min(Self.maxHold, max(0, number(at: now) - 1)))
  }

  private func number(at now: Duration) -> Int { max(0, count - Int((now - last) / Self.fading)) }
}
