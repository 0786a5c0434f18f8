/// A clock that the test turns.
final class TurnedClock {
  private var now = Duration.zero
  private var timers: [(due: Duration, action: () -> Void)] = []

  var isIdle: Bool { timers.isEmpty }

  func schedule(_ delay: Duration, _ action: @escaping () -> Void) {
    timers.append((now + delay, action))
  }

  func advance(by duration: Duration) {
    now += duration
    let due = timers.filter { $0.due <= now }
    timers.removeAll { $0.due <= now }
    for timer in due { timer.action() }
  }
}
