import Shared
import TestSupport

/// An honest player whom the attacker invites, or plays and chats with.
final class GuestProbe: Probe {
  enum Role {
    /// Stays in the lobby.
    case invitee
    /// Asks the attacker for a game.
    case opponent
  }

  static let name = "guest"
  private static let retryDelay = Duration.milliseconds(50)

  private let role: Role
  private let context: HonestContext
  private let client: WireClient
  private(set) var isReady = false
  private var isMeasuring = false
  private var invitations = 0
  private var maxInvitations = 0
  private var hasPlayed = false

  init(_ role: Role, context: HonestContext) {
    self.role = role
    self.context = context
    client = context.connect(from: LoopbackAddress(1, 240))
    client.onEvent = { [weak self] event in self?.take(event) }
  }

  func attackDidBegin() {
    isMeasuring = true
    if role == .opponent { askForGame() }
  }

  func attackDidEnd() {
    isMeasuring = false
    client.send(.quit)
  }

  var summary: String {
    switch role {
    case .invitee: "\(maxInvitations) invitations stood at the same time"
    case .opponent: hasPlayed ? "a game began" : "no game began"
    }
  }

  var failures: [String] {
    guard maxInvitations > Thresholds.invitations else { return [] }
    let allowed = "\(Thresholds.invitations) allowed"
    return ["\(maxInvitations) invitations stood for one player (\(allowed))"]
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello: client.send(.login(name: Self.name, password: nil))
    case .didLogin: isReady = true
    case .invited:
      invitations += 1
      maxInvitations = max(maxInvitations, invitations)
    case .invitationDidEnd: invitations -= 1
    case .match(let event):
      if case .didSay = event.body { context.metrics.didReceiveRemark(Self.name) }
      if case .gameDidStart = event.body { hasPlayed = true }
    case .error(.unknownPlayer, _, _, _) where isMeasuring:
      context.loop.schedule(after: Self.retryDelay) { [weak self] in self?.askForGame() }
    case .bye(let code, _, _, _) where isMeasuring:
      context.metrics.wasClosed("\(Self.name) \(code.rawValue)")
    default: break
    }
  }

  private func askForGame() { client.send(.start(opponent: ChatFlooder.name, game: nil)) }
}
