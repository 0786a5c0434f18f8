import Shared
import TestSupport

/// Somebody who watches one match after another, and checks what is told.
final class Spectator {
  private(set) var watched = 0
  private(set) var faults: [String] = []
  private let loop: EventLoop
  private let port: UInt16
  private var random: RandomSource
  private var client: WireClient?
  private var followed: FollowedMatch?
  private var isStopped = false

  init(loop: EventLoop, port: UInt16, random: RandomSource) {
    self.loop = loop
    self.port = port
    self.random = random
    connect()
  }

  func quit() {
    isStopped = true
    client?.send(.quit)
  }

  private func connect() {
    guard !isStopped else { return }
    followed = nil
    let client = WireClient(loop: loop, port: port)
    self.client = client
    client.onEvent = { [weak self] event in self?.take(event) }
    client.onEnd = { [weak self] in self?.after(.milliseconds(100)) { $0.connect() } }
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello: client?.send(.login(name: nil, password: nil))
    case .didLogin, .didLeave: choose()
    case .matches(let list):
      guard let match = list.items.randomElement(using: &random)?.match else {
        return after(.milliseconds(200)) { $0.choose() }
      }
      client?.send(.watch(match: match))
    case .error: after(.milliseconds(200)) { $0.choose() }
    case .matchSnapshot(let snapshot):
      watched += 1
      followed = FollowedMatch(snapshot)
      let time = Duration.milliseconds(Int.random(in: 100...4_000, using: &random))
      after(time) { $0.tireOf(snapshot.match) }
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
    if Int.random(in: 0..<4, using: &random) > 0 {
      followed = nil
      client?.send(.leave)
    } else {
      client?.cut(.reset)
      connect()
    }
  }

  private func choose() { client?.send(.list(.matches)) }

  private func after(_ time: Duration, _ action: @escaping (Spectator) -> Void) {
    loop.schedule(after: time) { [weak self] in
      guard let self, !isStopped else { return }
      action(self)
    }
  }
}
