package import Shared

/// A clock in the test's hand.
package final class ManualTimers: Timers {
  package private(set) var now: Duration = .zero
  private let queue = TimerQueue()

  package init() {}

  /// When the next action is due; `nil` where there is none.
  package var next: Duration? { queue.next }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    queue.add(at: now + delay, action)
  }

  /// Lets time pass; what is due on the way runs at its own time. Answers whether anything ran.
  @discardableResult
  package func advance(by duration: Duration) -> Bool {
    let end = now + duration
    var hasRun = false
    while let next = queue.next, next <= end {
      now = max(now, next)
      queue.run(at: now)
      hasRun = true
    }
    now = end
    return hasRun
  }
}
