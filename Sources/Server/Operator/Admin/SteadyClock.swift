import Foundation
import Shared

/// The time of day, by which bans and mutes end at a server that stands alone. It goes on with a
/// clock that nobody sets, and notices when the system's clock is set.
final class SteadyClock {
  /// A larger difference is a step; a smaller one is followed.
  static let maxStep: Duration = .seconds(2)

  private let now: () -> Duration
  private let wall: () -> Date
  private var last: (time: Date, moment: Duration)

  /// `now` is a clock that goes on while the machine sleeps, and `wall` the time of day.
  init(now: @escaping () -> Duration = BootClock.now, wall: @escaping () -> Date = Date.init) {
    self.now = now
    self.wall = wall
    last = (wall(), now())
  }

  var time: Date { last.time.addingTimeInterval((now() - last.moment) / .seconds(1)) }

  /// Returns by how much the system's clock was set since the last call, and goes on from there;
  /// `nil` if it was not set.
  func takeStep() -> Duration? {
    let (before, after) = (time, wall())
    last = (after, now())
    let step = after.since1970 - before.since1970
    return step.magnitude > Self.maxStep ? step : nil
  }
}
