import RIBs
import Shared
import TestSupport

@testable import Client

/// A client without a screen.
final class HeadlessClient: GameServiceDelegate {
  let parent = GameParent()
  let gameService: RemoteGameService
  private(set) var isLoggedIn = false
  /// The events of all matches, as a store keeps them.
  private(set) var matchEvents: [Event] = []
  private(set) var farewells: [ExitReport] = []
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
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(),
      random: RandomSource(SeededGenerator(seed: 1)), tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: ServerAddress(host: "server", port: 1), connectTime: .atLaunch))
    gameService.delegate = self
    _ = link.events.subscribe { [weak self] received in
      if case .match = received.event { self?.matchEvents.append(received.event) }
    }
    worker.activate()
    link.start(worker)
    gameService.open()
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

  func gameServiceDidOpen() {
    _ = gameService.loginService.login(
      with: [name, "server", "1"], password: nil, progress: { _ in }
    ) {
      [weak self] _ in
      self?.isLoggedIn = true
    }
  }

  func gameService(didStart game: Game, setup: GameSetup) {
    parent.attach(game, setup: setup)
  }

  func gameService(didLoad replay: Replay) {}
  func gameServiceDidNotStart(_ failure: StartFailure) {}
  func gameServiceDidEndMatch() {}
  func gameServiceDidLogOut(_ reason: LoginFormError) {}
  func gameServiceDidClose(_ exitReport: ExitReport) { farewells.append(exitReport) }
}
