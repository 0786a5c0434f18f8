import Shared
import TestSupport

@testable import Client

/// A client without a screen.
final class HeadlessClient: PlayListener {
  let parent = GameParent()
  let play: RemotePlay
  private(set) var isLoggedIn = false
  private(set) var farewells: [Farewell] = []
  private let name: String
  private let link: ServerLink
  private let worker = Interactor()

  init(
    _ name: String, _ game: GameInfo, timers: any Timers, connect: @escaping ServerLink.Connect
  ) {
    self.name = name
    link = ServerLink(timers: timers, connect: connect)
    let match = RemoteMatch(link: link)
    let games = GameRegistry([
      Game(game) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
    ])
    play = RemotePlay(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(), timers: timers,
      random: RandomSource(SeededGenerator(seed: 1)), tokens: TokenFile(folder: nil),
      address: ServerAddress(host: "server", port: 1), connectTime: .atLaunch)
    play.listener = self
    worker.activate()
    link.start(worker)
    play.open()
  }

  func stop() {
    worker.deactivate()
  }

  /// Sends a ping. The closure that it returns says whether the pong has arrived.
  func ping() -> () -> Bool {
    var hasAnswered = false
    link.send(.ping) { _ in hasAnswered = true }
    return { hasAnswered }
  }

  func playDidOpen() {
    _ = play.login(with: [name, "server", "1"], progress: { _ in }) { [weak self] _ in
      self?.isLoggedIn = true
    }
  }

  func play(didStart game: Game, setup: GameSetup) {
    parent.attach(game, setup: setup)
  }

  func playDidNotStart(_ failure: FailedStart) {}
  func playDidEndMatch() {}
  func playDidLogOut(_ reason: String) {}
  func playDidClose(_ farewell: Farewell) { farewells.append(farewell) }
}
