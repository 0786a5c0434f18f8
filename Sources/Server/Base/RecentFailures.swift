/// Failures of the last minute.
struct RecentFailures {
  private static let window: Duration = .seconds(60)

  private let max: Int
  /// The times of the last failures, the oldest first.
  private var times: [Duration] = []

  /// `max` is the number of failures from which on the next attempt has to wait.
  init(max: Int) {
    self.max = max
  }

  mutating func add(at now: Duration) {
    if times.count == max { times.removeFirst() }
    times.append(now)
  }

  func isEmpty(at now: Duration) -> Bool { count(at: now) == 0 }

  /// The number of failures within the last minute, up to `max`.
  func count(at now: Duration) -> Int { times.count { $0 + Self.window > now } }

  /// Returns how long to wait until there were fewer than `max` failures within a minute; `nil` if
  /// that is so now.
  func timeToWait(at now: Duration) -> Duration? {
    guard times.count == max, let oldest = times.first, oldest + Self.window > now else {
      return nil
    }
    return oldest + Self.window - now
  }
}
