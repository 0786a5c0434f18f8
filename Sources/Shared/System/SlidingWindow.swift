/// Counts what happens within a time, up to a maximum.
package struct SlidingWindow {
  package let max: Int
  package let time: Duration
  /// When it last happened, the oldest first.
  private var times: [Duration] = []

  /// `max` is the number from which on the next one has to wait.
  package init(max: Int, within time: Duration) {
    self.max = max
    self.time = time
  }

  package mutating func add(at now: Duration) {
    if times.count == max { times.removeFirst() }
    times.append(now)
  }

  /// Counts one more if that is within the limit, and returns whether it is.
  package mutating func allows(at now: Duration) -> Bool {
    guard timeToWait(at: now) == nil else { return false }
    add(at: now)
    return true
  }

  package mutating func reset() { times = [] }

  package func isEmpty(at now: Duration) -> Bool { count(at: now) == 0 }

  /// The number within the time, up to `max`.
  package func count(at now: Duration) -> Int { times.count { $0 + time > now } }

  /// Returns how long to wait until there were fewer than `max` within the time; `nil` if there
  /// are fewer now.
  package func timeToWait(at now: Duration) -> Duration? {
    guard times.count == max, let oldest = times.first, oldest + time > now else { return nil }
    return oldest + time - now
  }
}
