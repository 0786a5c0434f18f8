/// The seam for all that has to do with time: the event loop in the programs, a clock in the
/// test's hand in tests.
package protocol Timers: AnyObject {
  /// Time since some start, never going back. The loop reads its clock once a turn: the time at
  /// which the turn began to handle what had happened. The server's loop leaves out its stalls, the
  /// time in which it should have run but did not.
  var now: Duration { get }

  /// A clock that also runs within a turn, to measure what something takes; it is not `now`. Where time
  /// is simulated, nothing takes any.
  var preciseNow: Duration { get }

  /// How long input may have waited that is handled now, because the loop stalled; zero as soon as
  /// all input has been taken that arrived during the stall.
  var lateness: Duration { get }

  /// Calls `action` after each stall with its length, when all input has been taken that arrived
  /// during it.
  func whenStalled(_ action: @escaping (Duration) -> Void)

  /// Runs `action` once, `delay` from `now`, and never before this call has returned. Those due at
  /// the same time run in the order in which they were scheduled. Without a delay the action runs
  /// next; with one, only after all input that arrived before it was due.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer
}

extension Timers {
  package var preciseNow: Duration { now }
}
