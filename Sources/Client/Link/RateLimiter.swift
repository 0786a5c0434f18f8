/// Limits how often something may happen within a time.
struct RateLimiter {
  /// How often a server may move a session before it is resumed. Servers that do not agree could
  /// move it for ever. One more move counts as a lost connection.
  static let moves = RateLimiter(max: 10, window: .seconds(5))
  /// How many connections may bring lines that make no sense and be replaced by others. What was
  /// damaged on the way is whole the next time, but a program that is no server stays one.
  static let damage = RateLimiter(max: 3, window: .seconds(60))

  let max: Int
  let window: Duration
  private var times: [Duration] = []

  private init(max: Int, window: Duration) {
    self.max = max
    self.window = window
  }

  /// Counts an occurrence, and returns whether it is within the limit.
  mutating func allows(at now: Duration) -> Bool {
    times.removeAll { now - $0 >= window }
    guard times.count < max else { return false }
    times.append(now)
    return true
  }

  /// Forgets what was counted.
  mutating func reset() {
    times = []
  }
}
