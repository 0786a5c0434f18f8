import Shared
import TestSupport

/// Asks for a game with anyone, leaves the match at once, and asks again.
final class PairingAttacker: Attacker {
  static let name = "hog"

  private let context: AttackerContext
  private let client: WireClient
  private var isOver = false

  init(context: AttackerContext) {
    self.context = context
    client = context.connectClient()
  }

  func begin() {
    client.onEvent = { [weak self] event in self?.take(event) }
  }

  func stop() { isOver = true }

  private func take(_ event: Event?) {
    guard !isOver else { return }
    switch event {
    case .hello: client.send(.login(name: Self.name, password: nil))
    case .didLogin: client.send(.start(opponent: nil, game: nil))
    case .match(let event):
      switch event.body {
      case .gameDidStart:
        context.count("pairing")
        client.send(.leave)
      case .matchDidEnd: client.send(.start(opponent: nil, game: nil))
      default: break
      }
    case .error:
      context.loop.schedule(after: .milliseconds(100)) { [weak self] in
        self?.client.send(.start(opponent: nil, game: nil))
      }
    default: break
    }
  }
}
