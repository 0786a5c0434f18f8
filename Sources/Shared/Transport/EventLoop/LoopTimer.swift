/// A call that is to come. Whoever scheduled it may forget it: it runs all the same.
package final class LoopTimer {
  // In the queue's heap; -1 once it is out of it.
  var place: Int
  // It goes only after it has taken all its timers out.
  private unowned let queue: TimerQueue
  private var action: (() -> Void)?

  init(place: Int, queue: TimerQueue, action: @escaping () -> Void) {
    self.place = place
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
}
