/// A clock that the test advances.
final class ManualClock {
  private var now = Duration.zero
  private var timers: [(id: Int, due: Duration, action: () -> Void)] = []
  private var lastID = 0

  var isIdle: Bool { timers.isEmpty }

  /// Returns a closure that cancels the call.
  func schedule(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
    lastID += 1
    timers.append((lastID, now + delay, action))
    return { [weak self, id = lastID] in self?.timers.removeAll { $0.id == id } }
  }

  func advance(by duration: Duration) {
    now += duration
    let due = timers.filter { $0.due <= now }
    timers.removeAll { $0.due <= now }
    for timer in due { timer.action() }
  }
}
