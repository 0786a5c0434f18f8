#if canImport(Glibc)
  import Glibc
  // Declares the fields of `timespec`.
  import SwiftOverlayShims
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time of an event loop, in nanoseconds. A clock that forgives stalls stops while the loop
/// should run but does not: while the process is stopped, waits for a disk or gets no processor
/// time.
struct LoopClock {
  /// In nanoseconds. A delay of up to 0.1 s does not count as a stall.
  static let tolerance: Int64 = 100_000_000

  let forgivesStalls: Bool
  /// The end of the last wait.
  private(set) var now: Int64
  /// The latest time at which the wait ends if there is no stall.
  private var latest = Int64.max
  /// The total duration of all stalls.
  private var excluded: Int64 = 0
  /// The time of the system at `now`.
  var systemTime: Int64 { now &+ excluded }
  /// How long the loop has stalled. The loop sets it to zero when it has made up for the stall.
  var stall: Int64 = 0

  /// The system's clock, in nanoseconds; 64 bits of them last for 292 years.
  static func systemTime() -> Int64 {
    var time = timespec()
    // This cannot fail, because every system has this clock.
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  init(systemTime: Int64, forgivesStalls: Bool) {
    now = systemTime
    self.forgivesStalls = forgivesStalls
  }

  /// Called before the loop waits for up to `nanoseconds`; `nil` means without end.
  @inline(__always)
  mutating func willWait(atMost nanoseconds: Int64?) {
    latest = nanoseconds.map { now &+ $0 &+ Self.tolerance } ?? .max
  }

  /// Called after the wait. `foundNothing` is whether it ended without an event; false for a wait
  /// of zero length.
  @inline(__always)
  mutating func didWait(systemTime: Int64, foundNothing: Bool) {
    let last = now
    now = systemTime &- excluded
    if foundNothing || now > latest { leaveOutStall(since: last, foundNothing: foundNothing) }
  }

  /// A wait that ends early and without an event was interrupted by a signal. That is the only sign
  /// that the process may have been stopped during the wait, and there is no sign of when it was
  /// stopped.
  @inline(never)
  private mutating func leaveOutStall(since last: Int64, foundNothing: Bool) {
    guard forgivesStalls else { return }
    let isInterrupted = foundNothing && now < latest - 2 * Self.tolerance
    let end = isInterrupted ? last + Self.tolerance : latest
    guard now > end else { return }
    stall += now - end
    excluded += now - end
    now = end
  }
}
