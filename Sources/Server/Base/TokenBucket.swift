/// A rate limit with a burst: a bucket that is full at first, and gets `perSecond` tokens each
/// second. It keeps only the time at which it will be full again, so it needs neither a timer nor a
/// division.
struct TokenBucket: Sendable {
  /// The constants that all buckets of one kind share.
  private final class Rate: Sendable {
    let perSecond: Int
    let burst: Int
    // In attoseconds, the unit of `Duration` itself, whose operators are much slower.
    let interval: Int128
    let timeToFill: Int128

    init(perSecond: Int, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
      interval = Duration.seconds(1).attoseconds / Int128(perSecond)
      timeToFill = interval * Int128(burst)
    }
  }

  private let rate: Rate
  private var fullAt = Duration.zero

  /// Both must be at least 1.
  init(perSecond: Int, burst: Int) {
    rate = Rate(perSecond: perSecond, burst: burst)
  }

  var perSecond: Int { rate.perSecond }
  var burst: Int { rate.burst }

  /// How long it takes to fill an empty bucket.
  var timeToFill: Duration { Duration(attoseconds: rate.timeToFill) }

  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Takes one token, now or up to `lateness` earlier: while a server stalls, its clock stops.
  ///
  /// - Returns: `nil` if there was one, otherwise the time until there is.
  @inline(__always)
  mutating func take(
    at now: Duration, lateness: @autoclosure () -> Duration = .zero
  ) -> Duration? {
    take(rate.interval, at: now, lateness: lateness())
  }

  /// Takes `count` tokens, or none if there are fewer.
  ///
  /// - Returns: `nil` if there were enough, otherwise the time until there are.
  mutating func take(_ count: Int, at now: Duration) -> Duration? {
    take(rate.interval * Int128(count), at: now, lateness: .zero)
  }

  /// Takes the tokens of an `interval`.
  @inline(__always)
  private mutating func take(
    _ interval: Int128, at now: Duration, lateness: @autoclosure () -> Duration
  ) -> Duration? {
    let now = now.attoseconds
    let full = max(fullAt.attoseconds, now) + interval
    let lacking = full - now - rate.timeToFill
    guard lacking > 0, case let wait = lacking - lateness().attoseconds, wait > 0 else {
      fullAt = Duration(attoseconds: full)
      return nil
    }
    return Duration(attoseconds: wait)
  }

  /// Adds the tokens of a stall, after all input that arrived during it has been taken.
  mutating func makeUp(forStall stall: Duration) { fullAt -= stall }
}
