import Shared
import TestSupport

/// Chats as fast as the limit on lines allows: as the opponent of an honest player, or as a
/// spectator of each match.
final class ChatFlooder: Attacker {
  enum Seat {
    case opponent, spectator
  }

  static let name = "flooder"
  private static let pace = Duration.milliseconds(100)

  private let seat: Seat
  private let context: AttackerContext
  private var clients: [WireClient] = []
  private var isOver = false

  init(_ seat: Seat, context: AttackerContext) {
    self.seat = seat
    self.context = context
  }

  func begin() { add(match: nil) }

  func stop() { isOver = true }

  /// Adds a client that watches a match; without a match, the client that looks for matches or
  /// games.
  private func add(match: String?) {
    let client = context.connectClient()
    let name = match.map { "\(Self.name) \($0)" } ?? Self.name
    clients.append(client)
    client.onEvent = { [weak self, unowned client] event in
      guard let self else { return }
      switch event {
      case .hello: client.send(.login(name: name, password: nil))
      case .didLogin:
        if let match { return client.send(.watch(match: match)) }
        if case .spectator = seat { client.send(.list(.matches)) }
      case .matches(let list): for item in list.items { add(match: item.match) }
      case .invited(let from, _, _): client.send(.start(opponent: from, game: nil))
      case .matchSnapshot: talk(client)
      case .match(let event):
        if case .gameDidStart = event.body, case .opponent = seat { talk(client) }
      case .error(let code, _, _, _): context.count("error \(code)")
      default: break
      }
    }
  }

  private func talk(_ client: WireClient) {
    guard !isOver else { return }
    if client.unsent == 0 { client.send(Bytes.remarks) }
    context.loop.schedule(after: Self.pace) { [weak self, weak client] in
      if let self, let client { talk(client) }
    }
  }
}
