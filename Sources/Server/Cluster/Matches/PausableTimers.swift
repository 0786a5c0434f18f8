import Shared

/// Timers whose clock can stand still. A node's matches have them for moves and for players who are
/// away: while the engine is away nobody is told a move, and nobody can come back.
final class PausableTimers: Timers {
  private let base: any Timers
  private let queue = TimerQueue()
  /// How long the clock has stood still, without a pause that still lasts.
  private var pausedTime: Duration = .zero
  /// When the pause has begun, by the clock of `base`; `nil` while the clock runs.
  private var pauseBegin: Duration?
  /// Runs what is due next, and when that is.
  private var next: (timer: LoopTimer, deadline: Duration)?

  init(_ base: any Timers) { self.base = base }

  deinit { next?.timer.cancel() }

  var now: Duration { (pauseBegin ?? base.now) - pausedTime }
  var preciseNow: Duration { base.preciseNow }
  var lateness: Duration { base.lateness }

  func whenStalled(_ action: @escaping (Duration) -> Void) { base.whenStalled(action) }

  /// Also during a pause, after which the delay begins.
  @discardableResult
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    let timer = queue.add(at: now + delay, action)
    scheduleNext()
    return timer
  }

  /// Stops the clock. Nothing is due until `resume`.
  func pause() {
    guard pauseBegin == nil else { return }
    pauseBegin = base.now
    next?.timer.cancel()
    next = nil
  }

  /// Lets the clock go on from where it has stopped.
  func resume() {
    guard let begin = pauseBegin else { return }
    pausedTime += base.now - begin
    pauseBegin = nil
    scheduleNext()
  }

  private func scheduleNext() {
    guard pauseBegin == nil, let deadline = queue.next else { return }
    if let next {
      guard deadline < next.deadline else { return }
      next.timer.cancel()
    }
    let timer = base.schedule(after: max(.zero, deadline - now)) { [unowned self] in
      next = nil
      queue.run(at: now)
      scheduleNext()
    }
    next = (timer, deadline)
  }
}
