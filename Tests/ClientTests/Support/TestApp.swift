import RIBs
import Shared
import TestSupport

@testable import Client

/// A whole client in memory, without sockets and without a terminal.
final class TestApp {
  let terminal: TestTerminal
  let clock: ManualTimers
  let gameService: any GameService
  private(set) var root: (any LaunchRouting)?
  private let ending = RootListenerMock()

  init(
    gameService: any GameService, scoreStream: any ScoreStream,
    clock: ManualTimers = ManualTimers(),
    workers: [any Working] = [], name: String? = nil, launchAction: LaunchAction? = nil,
    gameChoice: GameChoice = GameChoice(), isInteractive: Bool = true, screen: Screen? = nil
  ) {
    terminal = TestTerminal(isInteractive: isInteractive)
    self.clock = clock
    self.gameService = gameService
    let dependency = TestDependency(
      viewFactory: screen.map { ScreenViewFactory(screen: $0) }
        ?? PlainViewFactory(console: terminal.console), clock: clock,
      gameService: gameService,
      scoreStream: scoreStream, workers: workers, presetNames: name.map { [$0] } ?? [],
      isAttended: isInteractive, launchAction: launchAction, gameChoice: gameChoice)
    root = RootBuilder(dependency: dependency).build(withListener: ending)
    root?.launch(from: screen ?? terminal.console)
  }

  /// A client in local play.
  static func local(
    games: [Game] = [Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)], name: String? = nil,
    asksForBoth: Bool = true, launchAction: LaunchAction? = nil,
    gameChoice: GameChoice = GameChoice(), isInteractive: Bool = true
  ) -> TestApp {
    let scoreStream = MutableScoreStream()
    return TestApp(
      gameService: LocalGameService(
        games: GameRegistry(games), scoreStream: scoreStream, asksForBoth: asksForBoth),
      scoreStream: scoreStream, name: name, launchAction: launchAction, gameChoice: gameChoice,
      isInteractive: isInteractive)
  }

  var exitReports: [ExitReport] { ending.exitReports }

  /// The router of the RIB on the screen.
  var currentRouter: (any Routing)? { root?.children.first }

  /// Types lines and returns the output since the previous call.
  @discardableResult
  func type(_ lines: String...) -> String {
    for line in lines { terminal.type(line) }
    return terminal.takeOutput()
  }

  func releaseRoot() {
    root = nil
  }
}

/// A client in remote play with a scripted server.
final class RemoteApp {
  let app: TestApp
  let server: ScriptedServer
  let fixture: LinkFixture

  init(
    games: [GameInfo] = [.ticTacToe], name: String? = nil, launchAction: LaunchAction? = nil,
    isInteractive: Bool = true, tokens: TokenFile = TokenFile(folder: nil),
    filePassword: String? = nil, seed: UInt64 = 1,
    makeScreen: (ManualTimers) -> Screen? = { _ in nil }
  ) {
    let fixture = LinkFixture(seed: seed)
    let match = RemoteMatch(link: fixture.link)
    let (scoreStream, clock) = (MutableScoreStream(), fixture.clock)
    let registry = GameRegistry(
      games.map { info in
        Game(info) { dependency, info in
          RemoteTicTacToeBuilder(dependency: dependency, game: info, match: match)
        }
      })
    let gameService = RemoteGameService(
      link: fixture.link, match: match, games: registry, scoreStream: scoreStream,
      random: RandomSource(SeededGenerator(seed: 1)), tokens: tokens,
      settings: RemoteGameService.Settings(
        address: .example, connectTime: .atLaunch, isAttended: isInteractive,
        filePassword: filePassword))
    let app = TestApp(
      gameService: gameService, scoreStream: scoreStream, clock: clock, workers: [fixture.link],
      name: name,
      launchAction: launchAction, isInteractive: isInteractive,
      screen: makeScreen(clock))
    (self.app, self.fixture, server) = (app, fixture, fixture.server)
    server.didSend = { [weak app] in app?.terminal.settle() }
  }

  /// A client that has logged in. Its output so far is discarded.
  static func inLobby(
    as name: String = "ann", games: [GameInfo] = [.ticTacToe],
    offered: [GameSummary] = [ScriptedServer.ticTacToe], isInteractive: Bool = true,
    seed: UInt64 = 1
  ) -> RemoteApp {
    let client = RemoteApp(games: games, isInteractive: isInteractive, seed: seed)
    client.server.greet(offered)
    client.app.type(name)
    client.server.answer(.didLogin(name: name, token: "secret"))
    client.discardOutput()
    return client
  }

  /// A client that plays X in a running game. Its output so far is discarded.
  static func inGame(isInteractive: Bool = true, seed: UInt64 = 1) -> RemoteApp {
    let client = inLobby(isInteractive: isInteractive, seed: seed)
    client.server.beginGame(match: "m")
    client.discardOutput()
    return client
  }

  /// Discards the output and the sent lines, so that a test sees only later ones.
  func discardOutput() {
    _ = app.terminal.takeOutput()
    _ = server.takeLines()
  }
}

final class RootListenerMock: RootListener {
  private(set) var exitReports: [ExitReport] = []

  func rootDidFinish(_ exitReport: ExitReport) { exitReports.append(exitReport) }
}

/// The dependencies of the root in a test.
final class TestDependency: RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let gameService: any GameService
  let scoreStream: any ScoreStream
  let workers: [any Working]
  let presetNames: [String]
  let isAttended: Bool
  let launchAction: LaunchAction?
  let gameChoice: GameChoice
  let replay: Replay? = nil
  let replayGames = { GameRegistry(GameInfo.all, over: $0) }

  init(
    viewFactory: any ViewFactory, clock: ManualTimers, gameService: any GameService,
    scoreStream: any ScoreStream,
    workers: [any Working], presetNames: [String], isAttended: Bool, launchAction: LaunchAction?,
    gameChoice: GameChoice = GameChoice()
  ) {
    self.viewFactory = viewFactory
    timers = clock
    self.gameService = gameService
    self.scoreStream = scoreStream
    self.workers = workers
    self.presetNames = presetNames
    self.isAttended = isAttended
    self.launchAction = launchAction
    self.gameChoice = gameChoice
  }
}
