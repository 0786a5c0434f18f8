import Shared

/// Limits the lines of a connection by its own rate and by that of its address.
struct LineRateLimiter {
  /// If the rate of the address is high, the tokens of this many lines are taken at once, so that
  /// most lines need not take any.
  static let linesAtOnce = 16

  /// `nil` if the connection has no rate of its own.
  private var bucket: TokenBucket?
  private let usage: AddressUsage
  /// The number of lines for which tokens of the address were taken already.
  private var prepaid: Int32 = 0
  /// The number of lines that the connection's own rate has refused since it last granted one.
  private var refusedInARow: Int32 = 0

  init(_ bucket: TokenBucket?, _ usage: AddressUsage) {
    self.bucket = bucket
    self.usage = usage
  }

  /// Takes the tokens of a line: one of the connection, and `cost` of its address. The line arrived
  /// now, or up to `lateness` earlier, while the server stalled.
  ///
  /// - Returns: `nil` if there were enough, otherwise the time until there are.
  @inline(__always)
  mutating func timeToWait(
    cost: Int, at now: Duration, lateness: @autoclosure () -> Duration
  ) -> Duration? {
    if let wait = bucket?.take(at: now, lateness: lateness()) {
      if refusedInARow < .max { refusedInARow += 1 }
      return wait
    }
    if refusedInARow > 0 { refusedInARow = 0 }
    let tokens = Int32(truncatingIfNeeded: cost)
    guard prepaid < tokens else {
      prepaid &-= tokens
      return nil
    }
    return takeFromAddress(cost, at: now)
  }

  @inline(never)
  private mutating func takeFromAddress(_ cost: Int, at now: Duration) -> Duration? {
    let count = min(Self.linesAtOnce, usage.linesPerMillisecond)
    if count > cost, usage.takeLines(count, at: now) == nil {
      prepaid += Int32(count - cost)
      return nil
    }
    return usage.takeLines(cost, at: now)
  }

  /// Adds the tokens of a stall, after all lines that arrived during it have been taken.
  mutating func makeUp(forStall stall: Duration) { bucket?.makeUp(forStall: stall) }

  /// Whether the number of refused lines in a row has reached `burst`.
  var isFlood: Bool {
    guard let bucket else { return false }
    return Int(refusedInARow) >= bucket.burst
  }

  /// How long the connection's bucket takes to be full again.
  var timeToFill: Duration? { bucket?.timeToFill }
}
