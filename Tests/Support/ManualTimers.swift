package import Shared

/// Timers whose clock advances only when the test says so.
package final class ManualTimers: Timers {
  package private(set) var now: Duration = .zero
  package private(set) var lateness: Duration = .zero
  private var stallActions: [(Duration) -> Void] = []
  private let queue = TimerQueue()

  package init() {}

  /// When the next action is due; `nil` if there is none.
  package var next: Duration? { queue.next }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    queue.add(at: now + delay, action)
  }

  /// Simulates a stall of the loop. `action` delivers the input that arrived meanwhile.
  package func stall(for duration: Duration, _ action: () -> Void) {
    lateness = duration
    action()
    lateness = .zero
    for action in stallActions { action(duration) }
  }

  package func whenStalled(_ action: @escaping (Duration) -> Void) { stallActions.append(action) }

  /// Advances the clock, and runs each action at the time when it is due. Returns whether any ran.
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
