/// A call that is to come. Whoever scheduled it may forget it: it runs all the same.
package final class LoopTimer {
  // In nanoseconds.
  let deadline: Int64
  // Tells timers of the same deadline apart: the first scheduled runs first.
  let order: UInt64
  // In the queue's heap; -1 once it is out of it.
  var place = -1
  // It goes only after it has taken all its timers out.
  private unowned let queue: TimerQueue
  private var action: (() -> Void)?

  init(deadline: Int64, order: UInt64, queue: TimerQueue, action: @escaping () -> Void) {
    self.deadline = deadline
    self.order = order
    self.queue = queue
    self.action = action
  }

  /// The action will not run, and is let go at once. Does nothing after it ran.
  package func cancel() {
    if place >= 0 { queue.remove(self) }
    withExtendedLifetime(takeAction()) {}
  }

  // What the action holds may cancel this very timer as it goes, so it goes last.
  func takeAction() -> (() -> Void)? {
    let taken = action
    action = nil
    return taken
  }

  func isBefore(_ other: LoopTimer) -> Bool {
    (deadline, order) < (other.deadline, other.order)
  }
}
