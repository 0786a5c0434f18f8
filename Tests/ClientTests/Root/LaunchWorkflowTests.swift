import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The workflow's steps at a root whose game service and router are doubles.
@Suite struct LaunchWorkflowTests {
  private let gameService = GameServiceMock()
  private let interactor: RootInteractor
  private let router: RootRoutingSpy
  private let workflow = RecordingLaunchWorkflow(.start(against: .bot))
  private let game = Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)
  private let setup = GameSetup(
    series: Series(PerMark(x: .person("ann"), o: .bot)), seat: .both, board: Board(.ticTacToe))

  init() {
    interactor = RootInteractor(
      presenter: PlainRootView(console: TestTerminal().console), gameService: gameService,
      timers: ManualTimers(),
      workers: [],
      launchAction: nil, isAttended: true)
    router = RootRoutingSpy(interactor)
    interactor.router = router
  }

  @Test func `the workflow requests a game after the login and completes with the game`() {
    interactor.activate()
    _ = workflow.subscribe(interactor)
    interactor.gameServiceDidOpen()
    #expect(router.offGame.requests.isEmpty)
    interactor.didLogin(as: ["ann"])
    #expect(router.offGame.requests == [.start(against: .bot)])
    #expect(workflow.ends.isEmpty)
    interactor.gameService(didStart: game, setup: setup)
    #expect(router.calls.last == .game("tictactoe", setup))
    #expect(workflow.ends == [.done])
  }

  @Test func `the workflow waits until the root is active`() {
    _ = workflow.subscribe(interactor)
    interactor.didLogin(as: ["ann"])
    #expect(router.offGame.requests.isEmpty)
    interactor.activate()
    interactor.didLogin(as: ["ann"])
    #expect(router.offGame.requests == [.start(against: .bot)])
  }

  @Test(arguments: [StartFailure.refused, .cancelled])
  func `the workflow fails when the start fails`(_ failure: StartFailure) {
    interactor.activate()
    _ = workflow.subscribe(interactor)
    interactor.didLogin(as: ["ann"])
    interactor.gameServiceDidNotStart(failure)
    interactor.gameService(didStart: game, setup: setup)
    #expect(workflow.ends == [.failed(failure)])
  }

  @Test func `a script whose start is refused gets no further question`() {
    let interactor = RootInteractor(
      presenter: PlainRootView(console: TestTerminal().console), gameService: gameService,
      timers: ManualTimers(), workers: [], launchAction: .start(against: .bot), isAttended: false)
    let router = RootRoutingSpy(interactor)
    interactor.router = router
    interactor.activate()
    interactor.didLogin(as: ["ann"])
    interactor.gameServiceDidNotStart(.refused)
    #expect(router.calls.last == .cleanup)
    #expect(gameService.calls.last == .quit)
  }

  @Test(arguments: [false, true])
  func `the workflow fails when the game service closes`(hasLoggedIn: Bool) {
    interactor.activate()
    _ = workflow.subscribe(interactor)
    if hasLoggedIn { interactor.didLogin(as: ["ann"]) }
    interactor.gameServiceDidClose(ExitReport(code: .unavailable, sentence: "Gone."))
    #expect(workflow.ends == [.failed(.closed)])
  }

  @Test func `a cancelled workflow neither continues nor ends`() {
    interactor.activate()
    let token = workflow.subscribe(interactor)
    token.cancel()
    interactor.didLogin(as: ["ann"])
    interactor.gameServiceDidNotStart(.refused)
    #expect(router.offGame.requests.isEmpty)
    #expect(workflow.ends.isEmpty)
  }

  @Test func `the workflow waits for the game of its own start`() {
    interactor.activate()
    interactor.willRequestGame()
    interactor.gameService(didStart: game, setup: setup)
    interactor.willRequestGame()
    var games = 0
    _ = interactor.waitForGame().subscribe { _ in games += 1 }
    #expect(games == 0)
    interactor.gameService(didStart: game, setup: setup)
    #expect(games == 1)
  }
}
