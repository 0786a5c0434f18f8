import Foundation
import Shared

/// The time by which bans and mutes end at all nodes alike: that of the engine. Between two looks
/// it goes on with this process's own clock, which nobody sets.
///
/// If the clock of the engine's host is set, or another host with another time becomes the primary,
/// the first node that sees it adds the difference to the engine's `clockShift`. So the time of the
/// cluster goes on as if nothing had happened.
final class RedisClock {
  /// A larger difference from one look to the next is a step.
  static let maxStep: Duration = .seconds(2)
  /// With a longer round trip the answer is too inexact.
  static let maxRoundTrip: Duration = .seconds(1)
  /// By how much the clock of this host may differ from the engine's without a warning.
  static let maxSkew: Duration = .seconds(5)

  /// Called with the length of a step of the engine's clock, which is made up for.
  var onStep: (Duration) -> Void = { _ in }
  /// Called when the clock of this host begins to differ from the engine's by more than `maxSkew`,
  /// when that changes by more than `maxSkew`, and with a small difference when it is right again.
  var onSkew: (Duration) -> Void = { _ in }
  /// By how much the clock of this host is ahead of the engine's.
  private(set) var skew: Duration = .zero
  private let engine: any Redis
  private let now: () -> Duration
  private let wall: () -> Date
  private var reading: Reading?
  /// What `onSkew` was last called with.
  private var reportedSkew: Duration = .zero

  /// What one look has shown.
  private struct Reading {
    /// The time of the cluster, since 1970, and of this process's clock.
    let time: Duration
    let moment: Duration
    /// The engine's `clockShift`, in milliseconds.
    let shift: Int

    func time(at moment: Duration) -> Duration { time + (moment - self.moment) }
  }

  /// `now` is a clock that goes on while the machine sleeps, and `wall` the time of day.
  init(engine: any Redis, now: @escaping () -> Duration, wall: @escaping () -> Date = Date.init) {
    self.engine = engine
    self.now = now
    self.wall = wall
  }

  /// The time of the cluster; that of this host before the first look.
  var time: Date { reading.map { Date(since1970: $0.time(at: now())) } ?? wall() }

  /// Asks the engine. Called after each renewal. `done` is called after an answer.
  func look(then done: @escaping () -> Void) { ask(nil, then: done) }

  /// This process may have been stopped with its clock, so what it says about steps means nothing.
  func forget() { reading = nil }

  /// Asks, and changes the shift if it is still the old one.
  private func ask(_ change: (old: Int, new: Int)?, then done: @escaping () -> Void = {}) {
    let begin = now()
    engine.run(
      .clock, change.map { String($0.old) } ?? "", change.map { String($0.new) } ?? "",
      confirmed: change == nil ? .never : .now
    ) { [weak self] reply in
      guard let self, let reply else { return }
      defer { done() }
      let end = now()
      guard let parts = reply.elements?.map(\.number), parts.count == 3, let seconds = parts[0],
        let micros = parts[1], let shift = parts[2], end - begin <= Self.maxRoundTrip
      else { return }
      let moment = (begin + end) / 2
      let engineTime = Duration.seconds(seconds) + .microseconds(micros)
      noteSkew(wall().since1970 - (end - moment) - engineTime)
      let time = engineTime + .milliseconds(shift)
      take(Reading(time: time, moment: moment, shift: shift), mayChange: change == nil)
    }
  }

  private func take(_ new: Reading, mayChange: Bool) {
    guard let old = reading else { return reading = new }
    let step = new.time - old.time(at: new.moment)
    // If another node has changed the shift, what that has seen holds.
    guard step.magnitude > Self.maxStep, new.shift == old.shift else { return reading = new }
    // Until the change is answered, the time goes on from the old reading.
    guard mayChange else { return }
    onStep(step)
    ask((old: new.shift, new: new.shift - step.wholeMilliseconds))
  }

  private func noteSkew(_ skew: Duration) {
    self.skew = skew
    guard
      isLarge(skew) != isLarge(reportedSkew)
        || isLarge(skew) && isLarge(skew - reportedSkew)
    else { return }
    reportedSkew = skew
    onSkew(skew)
  }

  private func isLarge(_ skew: Duration) -> Bool { skew.magnitude > Self.maxSkew }
}

extension RedisScript {
  /// Returns the time of the engine's host, as seconds since 1970 and microseconds, and by how many
  /// milliseconds the time of the cluster is ahead of it. Changes that number from the first
  /// argument to the second one, if it is still the first one.
  static let clock = RedisScript(
    name: "clock",
    text: """
      local shift = redis.call('GET', 'clockShift') or '0'
      if ARGV[1] ~= '' and shift == ARGV[1] then
        shift = ARGV[2]
        redis.call('SET', 'clockShift', shift)
      end
      local time = redis.call('TIME')
      return {time[1], time[2], shift}
      """)
}
