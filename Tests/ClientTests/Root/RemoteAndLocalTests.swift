import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The root's router receives the same calls in remote and in local play.
@Suite struct RemoteAndLocalTests {
  /// A root with its real router, whose calls are recorded.
  private final class SpiedRoot {
    let terminal = TestTerminal()
    let interactor: RootInteractor
    let spy: RootRoutingSpy
    private let router: RootRouter
    private let dependency: Dependency

    private final class Dependency: RootDependency {
      let viewFactory: any ViewFactory
      let random = RandomSource(SeededGenerator(seed: 1))
      let botThinker: any BotThinker = ManualBotThinker()
      let timers: any Timers = ManualTimers()
      let gameService: any GameService
      let scoreStream: any ScoreStream
      let workers: [any Working] = []
      let presetNames: [String] = []
      let isAttended = true
      let launchAction: LaunchAction? = nil
      let gameChoice = GameChoice()
      let replay: Replay? = nil
      let replayGames = { GameRegistry(GameInfo.all, over: $0) }

      init(
        _ viewFactory: any ViewFactory, _ gameService: any GameService,
        _ scoreStream: any ScoreStream
      ) {
        (self.viewFactory, self.gameService, self.scoreStream) = (
          viewFactory, gameService, scoreStream
        )
      }
    }

    init(gameService: any GameService, scoreStream: any ScoreStream, workers: [any Working] = []) {
      dependency = Dependency(PlainViewFactory(console: terminal.console), gameService, scoreStream)
      let component = RootComponent(dependency: dependency)
      let view = PlainRootView(console: terminal.console)
      interactor = RootInteractor(
        presenter: view, gameService: gameService, timers: ManualTimers(), workers: workers,
        launchAction: nil,
        isAttended: true)
      router = RootRouter(
        interactor: interactor, viewController: view,
        loggedOutBuilder: LoggedOutBuilder(dependency: component),
        offGameBuilder: OffGameBuilder(dependency: component),
        replayBuilder: ReplayBuilder(dependency: component), gameDependency: component)
      spy = RootRoutingSpy(interactor, real: router)
      interactor.router = spy
      terminal.console.show(view)
      interactor.activate()
      terminal.settle()
    }

    /// The calls without the details that differ between remote and local play.
    var calls: [String] {
      spy.calls.map { call in
        switch call {
        case .loggedOut: "logged out"
        case .offGame: "off game"
        case .game(let id, let setup):
          "\(id): \(setup.series.players.x.name) \(setup.series.score.x), "
            + "\(setup.series.players.o.name) \(setup.series.score.o), \(setup.board.rows)"
        case .replay(let match): "replay \(match)"
        case .detachReplay: "detach the replay"
        case .cleanup: "cleanup"
        }
      }
    }
  }

  private let upperRow = ["1", "4", "2", "5", "3"]
  private let line = [0, 1, 2].map { Cell(row: 0, column: $0) }

  private func local() -> [String] {
    let scoreStream = MutableScoreStream()
    let games = GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)])
    let root = SpiedRoot(
      gameService: LocalGameService(games: games, scoreStream: scoreStream),
      scoreStream: scoreStream)
    let lines = ["ann", "bob", "start"] + upperRow + ["start", "1", "2", "leave", "yes", "quit"]
    for line in lines { root.terminal.type(line) }
    return root.calls
  }

  private func remote() -> [String] {
    let (fixture, scoreStream) = (LinkFixture(), MutableScoreStream())
    let match = RemoteMatch(link: fixture.link)
    let games = GameRegistry([
      Game(.ticTacToe) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
    ])
    let gameService = RemoteGameService(
      link: fixture.link, match: match, games: games, scoreStream: scoreStream,
      random: RandomSource(SeededGenerator(seed: 1)), tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: .example, connectTime: .atLaunch))
    let root = SpiedRoot(
      gameService: gameService, scoreStream: scoreStream, workers: [fixture.link])
    let server = fixture.server
    server.didSend = { root.terminal.settle() }
    server.greet()
    root.terminal.type("ann")
    server.answer(.didLogin(name: "ann", token: nil))
    root.terminal.type("start")
    server.beginGame(match: "m")
    for number in [1, 4, 2, 5, 3] {
      root.terminal.type("\(number)")
      server.move(number)
    }
    server.endGame(Outcome(winner: .x, reason: .line, line: line), score: Score(x: 1))
    root.terminal.type("start")
    server.beginGame(you: .o, x: "bob", o: "ann", score: Score(o: 1))
    for number in [1, 2] { server.move(number) }
    for line in ["leave", "yes"] { root.terminal.type(line) }
    server.endGame(Outcome(winner: .o, reason: .left), score: Score(o: 2))
    server.endMatch(.left, by: .x, score: Score(o: 2))
    root.terminal.type("quit")
    server.send(.bye(.quit))
    return root.calls
  }

  @Test func `equal local and remote games cause equal calls of the router`() {
    let expected = [
      "logged out", "off game", #"tictactoe: ann 0, bob 0, ["...", "...", "..."]"#, "off game",
      #"tictactoe: bob 0, ann 1, ["...", "...", "..."]"#, "off game", "cleanup", "cleanup",
    ]
    #expect(local() == expected)
    #expect(remote() == expected)
  }
}
