import Shared

/// The one clock of a world of nodes, what happens in it, and its random choices.
final class SimulatedTime {
  private(set) var now: Duration = .seconds(1_000)
  let random: SeededRandom
  private var events = TimerQueue()

  init(_ random: SeededRandom) {
    self.random = random
  }

  /// When something happens next.
  var next: Duration? { events.next }

  func after(_ delay: Duration, _ action: @escaping () -> Void) {
    _ = events.add(at: now + delay, action)
  }

  func after(_ delay: ClosedRange<Duration>, _ action: @escaping () -> Void) {
    after(random.duration(delay), action)
  }

  /// Forgets what has not happened. Much of that holds the world.
  func end() { events = TimerQueue() }

  /// Advances to a time, at which everything happens that is due.
  func advance(to time: Duration) {
    now = max(now, time)
    events.run(at: now)
  }
}
