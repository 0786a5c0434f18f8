/// A clock with timers: the event loop in the programs, a manual clock in tests.
package protocol Timers: AnyObject {
  /// The time since an arbitrary start. It never decreases. The loop reads its clock once a turn,
  /// before it handles events. The server's loop does not count stalls: the time in which it should
  /// have run but did not.
  var now: Duration { get }

  /// A clock that also advances within a turn, for measuring durations. It is not the same clock as
  /// `now`. In simulated time nothing takes any time.
  var preciseNow: Duration { get }

  /// How long the current input may have waited because the loop stalled. Zero once all input that
  /// arrived during the stall has been taken.
  var lateness: Duration { get }

  /// Calls `action` after each stall, with its length, once all input that arrived during the stall
  /// has been taken.
  func whenStalled(_ action: @escaping (Duration) -> Void)

  /// Runs `action` once, `delay` after `now`, and never before this call has returned. Actions that
  /// are due at the same time run in the order in which they were scheduled. Without a delay the
  /// action runs next; with a delay it runs after all input that arrived before it was due.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer
}

extension Timers {
  package var preciseNow: Duration { now }
}
