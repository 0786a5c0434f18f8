import Shared
import TestSupport

/// A spectator who watches one match after another, and checks that each line follows from those
/// before it.
final class Spectator {
  private(set) var watched = 0
  private(set) var faults: [String] = []
  private let session: ReconnectingClient
  private var random: RandomSource
  private var tracker: MatchTracker?

  init(loop: EventLoop, port: UInt16, random: RandomSource) {
    self.random = random
    session = ReconnectingClient(loop: loop, port: port, pause: .milliseconds(100))
    session.onEvent = { [weak self] event in self?.take(event) }
    session.begin()
  }

  func quit() {
    session.end()
    session.client?.send(.quit)
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello:
      tracker = nil
      session.client?.send(.login(name: nil, password: nil))
    case .didLogin, .didLeave: choose()
    case .matches(let list):
      guard let match = list.items.randomElement(using: &random)?.match else {
        return chooseLater()
      }
      session.client?.send(.watch(match: match))
    case .error: chooseLater()
    case .matchSnapshot(let snapshot):
      watched += 1
      tracker = MatchTracker(snapshot)
      let time = Duration.milliseconds(Int.random(in: 100...4_000, using: &random))
      session.after(time) { [weak self] in self?.tireOf(snapshot.match) }
    case .match(let event): take(event)
    case .bye, .spectatorsDidChange: break
    default: faults.append("A spectator received \(String(describing: event)).")
    }
  }

  private func take(_ event: MatchEvent) {
    do throws(MatchTracker.TrackingError) {
      try tracker?.take(event)
    } catch {
      faults.append("A spectator: \(error)")
    }
    guard case .matchDidEnd = event.body else { return }
    tracker = nil
    choose()
  }

  /// Leaves the match, or resets the connection.
  private func tireOf(_ match: String) {
    guard tracker?.match == match else { return }
    tracker = nil
    if Int.random(in: 0..<4, using: &random) > 0 {
      session.client?.send(.leave)
    } else {
      session.client?.cut(.reset)
      session.begin()
    }
  }

  private func choose() { session.client?.send(.list(.matches)) }

  private func chooseLater() {
    session.after(.milliseconds(200)) { [weak self] in self?.choose() }
  }
}
