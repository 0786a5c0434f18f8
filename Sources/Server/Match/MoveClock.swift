import Shared

/// The time for each move of a match. A move only puts the deadline off: the timer, when it is due,
/// is set again for what is left, so that a move costs nothing.
final class MoveClock {
  /// Called when the time is up.
  var onTimeout: () -> Void = {}
  private let limit: Duration
  private let timers: any Timers
  /// `nil` while nobody's move is timed.
  private var deadline: Duration?
  private var timer: LoopTimer?

  init(limit: Duration, timers: any Timers) {
    self.limit = limit
    self.timers = timers
  }

  /// The time for the move; `nil` while nobody's is timed.
  var timeLeft: Duration? { deadline.map { max(.zero, $0 - timers.now) } }

  /// Begins the time for the next move, and answers how long it is.
  func start() -> Duration {
    deadline = timers.now + limit
    if timer == nil { schedule(after: limit) }
    return limit
  }

  /// The next move is not timed.
  func hold() {
    deadline = nil
  }

  /// There is no next move.
  func stop() {
    deadline = nil
    timer?.cancel()
    timer = nil
  }

  private func schedule(after delay: Duration) {
    timer = timers.schedule(after: delay) { [weak self] in self?.timerDidFire() }
  }

  private func timerDidFire() {
    timer = nil
    guard let timeLeft else { return }
    guard timeLeft <= .zero else { return schedule(after: timeLeft) }
    deadline = nil
    onTimeout()
  }
}
