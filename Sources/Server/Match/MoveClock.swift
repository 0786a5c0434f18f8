import Shared

/// Limits the time for each move of a match. A move only changes the deadline. When the timer fires
/// early, it is set again for the remaining time, so a move needs no new timer.
final class MoveClock {
  /// Called when the time for a move is over.
  var onTimeout: () -> Void = {}
  private let limit: Duration
  private let timers: any Timers
  /// `nil` while no move is timed.
  private var deadline: Duration?
  private var timer: LoopTimer?

  init(limit: Duration, timers: any Timers) {
    self.limit = limit
    self.timers = timers
  }

  /// The time left for the current move; `nil` while no move is timed.
  var timeLeft: Duration? { deadline.map { max(.zero, $0 - timers.now) } }

  /// Begins the time for the next move, and returns its length.
  func start() -> Duration {
    deadline = timers.now + limit
    if timer == nil { schedule(after: limit) }
    return limit
  }

  /// Stops the clock, because there is no next move.
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
