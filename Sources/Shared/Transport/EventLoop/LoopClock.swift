/// The time of an event loop, in nanoseconds. Where it forgives stalls, it stands still while the loop
/// should run but does not: while the process is stopped, waits for a disk or gets no processor.
struct LoopClock {
  /// A delay up to this length is no stall: 0.1 s.
  static let tolerance: Int64 = 100_000_000

  let forgivesStalls: Bool
  /// The end of the last wait.
  private(set) var now: Int64
  /// When the wait ends at the latest, unless the loop stalls.
  private var latest = Int64.max
  private var leftOut: Int64 = 0
  /// How long the loop has stalled. Whoever has made up for that sets it to zero.
  var stall: Int64 = 0

  init(systemTime: Int64, forgivesStalls: Bool) {
    now = systemTime
    self.forgivesStalls = forgivesStalls
  }

  /// The loop is about to wait for at most `nanoseconds`, up to some years; `nil` is for ever.
  @inline(__always)
  mutating func willWait(atMost nanoseconds: Int64?) {
    latest = nanoseconds.map { now &+ $0 &+ Self.tolerance } ?? .max
  }

  /// `foundNothing` is whether the wait ended without an event, false for one of no time.
  @inline(__always)
  mutating func didWait(systemTime: Int64, foundNothing: Bool) {
    let last = now
    now = systemTime &- leftOut
    if foundNothing || now > latest { leaveOutStall(since: last, foundNothing: foundNothing) }
  }

  /// A wait that ends well before its time and without an event was interrupted by a signal. Nothing
  /// else shows that the process was stopped in it, and nothing shows since when.
  @inline(never)
  private mutating func leaveOutStall(since last: Int64, foundNothing: Bool) {
    guard forgivesStalls else { return }
    let isInterrupted = foundNothing && now < latest - 2 * Self.tolerance
    let end = isInterrupted ? last + Self.tolerance : latest
    guard now > end else { return }
    stall += now - end
    leftOut += now - end
    now = end
  }
}
