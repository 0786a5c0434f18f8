import Shared
import TestSupport

/// Matches against the bot in which a player and some spectators chat as fast as the limits allow,
/// while many other spectators never read.
final class SlowSpectators: Attacker {
  private static let matches = 9
  /// Spectators of a match that do not read. New ones arrive all the time, since the server closes
  /// those that are too slow.
  private static let silent = 90
  private static let talkers = 10
  private static let pace = Duration.milliseconds(100)

  private let context: AttackerContext
  private var players: [WireClient] = []
  private var audiences: [any Attacker] = []
  private var isOver = false

  init(context: AttackerContext) { self.context = context }

  func begin() {
    for number in 0..<Self.matches { open(number) }
  }

  func stop() {
    isOver = true
    for audience in audiences { audience.stop() }
  }

  private func open(_ number: Int) {
    let player = context.connectClient()
    players.append(player)
    player.onEvent = { [weak self, unowned player] event in
      switch event {
      case .hello: player.send(.login(name: "talker \(number)", password: nil))
      case .didLogin: player.send(.start(opponent: Player.botName, game: nil))
      case .match(let event):
        guard case .gameDidStart = event.body else { return }
        self?.talk(player)
        self?.fill(event.match)
      default: break
      }
    }
  }

  private func talk(_ player: WireClient) {
    guard !isOver else { return }
    if player.unsent == 0 { player.send(Bytes.remarks) }
    context.loop.schedule(after: Self.pace) { [weak self, weak player] in
      if let self, let player { talk(player) }
    }
  }

  private func fill(_ match: String) {
    let arrive: @Sendable (Int) -> [UInt8] = { _ in Array("login\nwatch \(match)\n".utf8) }
    audiences.append(
      ConnectionChurn(
        ConnectionChurn.Plan(
          atOnce: Self.silent, bytes: arrive, ending: .keep(.seconds(12)), receiveBuffer: 4_096,
          pause: .seconds(3)), context: context))
    audiences.append(
      Flood(
        Flood.Plan(
          connections: Self.talkers, greeting: arrive, piece: { _ in Bytes.remarks },
          interval: Self.pace), context: context))
    for audience in audiences.suffix(2) { audience.begin() }
  }
}
