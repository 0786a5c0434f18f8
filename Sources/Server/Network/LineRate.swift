/// How many lines a client may send: a bucket of tokens, of which each line takes one. It is full at
/// first, and `perSecond` tokens drop into it. Only the time at which it would be full again is
/// kept, so that it costs neither a timer nor a division.
struct LineRate: Sendable {
  enum Verdict: Equatable {
    case granted
    /// With the time until there is a token.
    case tooFast(retry: Duration)
    /// As many in a row were too fast as the bucket holds.
    case flood
  }

  /// What all connections of a server have in common.
  private final class Bucket: Sendable {
    let perSecond: Int
    let burst: Int
    // In attoseconds: what `Duration` itself counts in, and quicker than it by far.
    let interval: Int128
    let timeToFill: Int128

    init(perSecond: Int, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
      interval = Duration.seconds(1).attoseconds / Int128(perSecond)
      timeToFill = interval * Int128(burst)
    }
  }

  private let bucket: Bucket
  private var fullAt = Duration.zero
  private var refusedInARow = 0

  /// Both at least 1.
  init(perSecond: Int, burst: Int) {
    bucket = Bucket(perSecond: perSecond, burst: burst)
  }

  var perSecond: Int { bucket.perSecond }
  var burst: Int { bucket.burst }

  /// How long an empty bucket takes to be full.
  var timeToFill: Duration { Duration(attoseconds: bucket.timeToFill) }

  /// A line came: now, or up to `lateness` earlier, while the server stalled and its clock stood still.
  mutating func take(
    at now: Duration, lateness: @autoclosure () -> Duration = .zero
  ) -> Verdict {
    let now = now.attoseconds
    let full = max(fullAt.attoseconds, now) + bucket.interval
    let lacking = full - now - bucket.timeToFill
    guard lacking > 0, case let wait = lacking - lateness().attoseconds, wait > 0 else {
      fullAt = Duration(attoseconds: full)
      refusedInARow = 0
      return .granted
    }
    refusedInARow += 1
    return refusedInARow < burst ? .tooFast(retry: Duration(attoseconds: wait)) : .flood
  }

  /// Adds the tokens of a stall, once all lines have been taken that came during it.
  mutating func makeUp(forStall stall: Duration) { fullAt -= stall }
}
