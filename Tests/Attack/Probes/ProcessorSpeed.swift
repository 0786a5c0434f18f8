import Foundation

/// How fast this machine is now. Limits on processor time are given in steps of a loop, so that they
/// mean the same on each machine.
enum ProcessorSpeed {
  /// Steps that are measured at a time.
  private static let measured = 4_000_000

  /// Returns the processor time of some steps, each of which needs the result of the one before:
  /// that of xorshift64 (Marsaglia, *Xorshift RNGs*, 2003). The shortest of five measurements.
  static func time(of steps: Int) -> Duration {
    let shortest = (0..<5).map { _ in measure() }.min() ?? .zero
    return shortest * steps / measured
  }

  private static func measure() -> Duration {
    let begin = now(CLOCK_THREAD_CPUTIME_ID)
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<measured {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    let end = now(CLOCK_THREAD_CPUTIME_ID)
    // The result is used, or the compiler would leave the loop out.
    return .nanoseconds(state == 0 ? 0 : Int64(end - begin))
  }

  private static func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
