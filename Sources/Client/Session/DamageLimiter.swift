/// Limits how often a connection that carries nonsense is made anew. What something on the way has
/// damaged once is whole the next time; a program that is no server stays one.
struct DamageLimiter {
  /// The number of damaged connections within `window` that count as lost.
  static let max = 3
  static let window: Duration = .seconds(60)

  private var times: [Duration] = []

  /// Counts a damaged connection, and returns whether to try another one.
  mutating func allowsMore(at now: Duration) -> Bool {
    times.removeAll { now - $0 >= Self.window }
    guard times.count < Self.max else { return false }
    times.append(now)
    return true
  }
}
