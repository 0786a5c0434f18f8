package import Shared

/// A clock in the test's hand.
package final class ManualTimers: Timers {
  package private(set) var now: Duration = .zero
  package private(set) var lateness: Duration = .zero
  private var stallActions: [(Duration) -> Void] = []
  private let queue = TimerQueue()

  package init() {}

  /// When the next action is due; `nil` where there is none.
  package var next: Duration? { queue.next }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    queue.add(at: now + delay, action)
  }

  /// The loop has stalled for so long; `action` gives it what has come meanwhile.
  package func stall(for duration: Duration, _ action: () -> Void) {
    lateness = duration
    action()
    lateness = .zero
    for action in stallActions { action(duration) }
  }

  package func whenStalled(_ action: @escaping (Duration) -> Void) { stallActions.append(action) }

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
