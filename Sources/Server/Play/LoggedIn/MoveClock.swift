import Shared

/// Limits the time for each move of a match. A move only changes the deadline. When the timer fires
/// early, it is set again for the remaining time, so neither a move nor a game needs a new timer.
final class MoveClock {
  /// Called when the time for a move is over.
  var onTimeout: () -> Void = {}
  private let limit: Duration
  private let timers: any Timers
  /// When the time for the current move began. Only a move that begins sets it.
  private var beginning = Duration.zero
  /// Whether a move is timed now.
  private var isRunning = false
  private var timer: LoopTimer?

  init(limit: Duration, timers: any Timers) {
    self.limit = limit
    self.timers = timers
  }

  /// The time left for the current move; `nil` while no move is timed.
  var timeLeft: Duration? {
    isRunning ? max(.zero, beginning + limit - timers.now) : nil
  }

  deinit { timer?.cancel() }

  /// Begins the time for the next move.
  @inline(__always)
  func start() {
    beginning = timers.now
    isRunning = true
    if timer == nil { schedule(after: limit) }
  }

  /// Stops the time, because the game is over. The timer may still run, without an effect.
  func pause() {
    isRunning = false
  }

  /// Stops the clock, because the match is over.
  func stop() {
    isRunning = false
    timer?.cancel()
    timer = nil
  }

  @inline(never)
  private func schedule(after delay: Duration) {
    // Unowned: a weak reference would slow down every retain and release of the clock.
    timer = timers.schedule(after: delay) { [unowned self] in timerDidFire() }
  }

  private func timerDidFire() {
    timer = nil
    guard let timeLeft else { return }
    guard timeLeft <= .zero else { return schedule(after: timeLeft) }
    isRunning = false
    onTimeout()
  }
}
