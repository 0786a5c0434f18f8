package import Shared

/// Timers whose time passes so many times as fast as that of others: what waits for seconds does not
/// make a test wait for them.
package final class FastTimers: Timers {
  private let timers: any Timers
  private let factor: Int

  package init(_ timers: any Timers, factor: Int) {
    self.timers = timers
    self.factor = factor
  }

  package var now: Duration { timers.now * factor }
  package var lateness: Duration { timers.lateness * factor }

  package func whenStalled(_ action: @escaping (Duration) -> Void) {
    timers.whenStalled { [factor] in action($0 * factor) }
  }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    timers.schedule(after: delay / factor, action)
  }
}
