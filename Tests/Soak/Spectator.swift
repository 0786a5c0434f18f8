import Shared
import TestSupport

/// Somebody who watches one match after another, and checks what is told.
final class Spectator {
  private(set) var watched = 0
  private(set) var faults: [String] = []
  private let visits: Visits
  private var random: RandomSource
  private var followed: FollowedMatch?

  init(loop: EventLoop, port: UInt16, random: RandomSource) {
    self.random = random
    visits = Visits(loop: loop, port: port, pause: .milliseconds(100))
    visits.onEvent = { [weak self] event in self?.take(event) }
    visits.begin()
  }

  func quit() {
    visits.end()
    visits.client?.send(.quit)
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello:
      followed = nil
      visits.client?.send(.login(name: nil, password: nil))
    case .didLogin, .didLeave: choose()
    case .matches(let list):
      guard let match = list.items.randomElement(using: &random)?.match else {
        return chooseLater()
      }
      visits.client?.send(.watch(match: match))
    case .error: chooseLater()
    case .matchSnapshot(let snapshot):
      watched += 1
      followed = FollowedMatch(snapshot)
      let time = Duration.milliseconds(Int.random(in: 100...4_000, using: &random))
      visits.after(time) { [weak self] in self?.tireOf(snapshot.match) }
    case .match(let event): take(event)
    case .bye: break
    default: faults.append("A spectator is told \(String(describing: event)).")
    }
  }

  private func take(_ event: MatchEvent) {
    do throws(FollowedMatch.Fault) {
      try followed?.take(event)
    } catch {
      faults.append("A spectator: \(error)")
    }
    guard case .matchDidEnd = event.body else { return }
    followed = nil
    choose()
  }

  /// Leaves, or goes without a word.
  private func tireOf(_ match: String) {
    guard followed?.match == match else { return }
    followed = nil
    if Int.random(in: 0..<4, using: &random) > 0 {
      visits.client?.send(.leave)
    } else {
      visits.client?.cut(.reset)
      visits.begin()
    }
  }

  private func choose() { visits.client?.send(.list(.matches)) }

  private func chooseLater() {
    visits.after(.milliseconds(200)) { [weak self] in self?.choose() }
  }
}
