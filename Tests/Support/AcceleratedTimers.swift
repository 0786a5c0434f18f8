package import Shared

/// Timers that run `factor` times as fast as others, so that a test need not wait for long
/// time-outs.
package final class AcceleratedTimers: Timers {
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
