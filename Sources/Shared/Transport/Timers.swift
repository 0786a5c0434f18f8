/// The seam for all that has to do with time: the event loop in the programs, a clock in the
/// test's hand in tests.
package protocol Timers: AnyObject {
  /// Time since some start, never going back. The loop reads its clock once a turn: the time at
  /// which the turn began to handle what had happened.
  var now: Duration { get }

  /// The same clock as it is right now, also in the midst of a turn: to measure what something takes.
  /// Where time is simulated, nothing takes any.
  var clock: Duration { get }

  /// Runs `action` once, `delay` from `now`, and never before this call has returned. Those due at
  /// the same time run in the order in which they were scheduled.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer
}

extension Timers {
  package var clock: Duration { now }
}
