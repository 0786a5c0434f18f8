import Shared

/// Calls an action once in each timed move, when little time is left. A move that has little time
/// from the start gets no call.
final class LowTimeAlarm {
  /// How long before the end of the time the action is called.
  static let lead = Duration.seconds(10)

  private let timers: any Timers
  private let action: () -> Void
  private var deadline: Duration?
  private var timer: LoopTimer?

  init(timers: any Timers, action: @escaping () -> Void) {
    self.timers = timers
    self.action = action
  }

  /// `deadline` is when the time for the current move ends; `nil` without a limit.
  func set(_ deadline: Duration?) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    timer?.cancel()
    timer = nil
    guard let deadline else { return }
    let delay = deadline - Self.lead - timers.now
    guard delay > .zero else { return }
    timer = timers.schedule(after: delay) { [weak self] in self?.action() }
  }
}
