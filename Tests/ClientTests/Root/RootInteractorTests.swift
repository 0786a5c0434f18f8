import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct RootInteractorTests {
  private let gameService = GameServiceMock()
  private let worker = WorkerMock()
  private let listener = RootListenerMock()
  private let view = PlainRootView(console: TestTerminal().console)
  private let interactor: RootInteractor
  private let router: RootRoutingSpy
  private let setup = GameSetup(
    series: Series(PerMark(x: .person("ann"), o: .person("bob"))), seat: .one(.x),
    board: Board(.ticTacToe))
  private let game = Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)
  private let draw = Outcome(winner: nil, reason: .full)

  init() {
    interactor = RootInteractor(
      presenter: view, gameService: gameService, timers: ManualTimers(), workers: [worker],
      launchAction: nil,
      isAttended: true)
    router = RootRoutingSpy(interactor)
    interactor.router = router
    interactor.listener = listener
    interactor.activate()
  }

  @Test func `activation starts the workers and opens the game service`() {
    #expect(worker.startCount == 1)
    #expect(gameService.delegate === interactor)
    #expect(gameService.calls == [.open])
    #expect(router.calls.isEmpty)
  }

  @Test func `the root routes from the form to the lobby, into a game and back`() {
    interactor.gameServiceDidOpen()
    interactor.didLogin(as: ["ann"])
    interactor.gameService(didStart: game, setup: setup)
    interactor.gameDidEnd(with: draw)
    #expect(
      router.calls == [
        .loggedOut(), .offGame(["ann"]), .game("tictactoe", setup), .offGame(["ann"]),
      ])
    #expect(gameService.calls == [.open, .gameDidEnd(draw)])
  }

  @Test func `the last game is passed to OffGame until the match ends`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["X..", "...", "..."], turn: .o))
    interactor.didLogin(as: ["ann"])
    interactor.gameService(didStart: game, setup: setup)
    router.game = GameRoutingMock(board: board)
    interactor.gameDidEnd(with: draw)
    let lastGame = LastGame(
      game: game.info, players: setup.series.players, seat: .one(.x), board: board, outcome: draw)
    #expect(router.calls.last == .offGame(["ann"], after: lastGame))
    interactor.gameServiceDidEndMatch()
    #expect(router.calls.last == .offGame(["ann"], after: nil))
  }

  @Test func `the end of a match detaches only a running game`() {
    interactor.didLogin(as: ["ann"])
    interactor.gameServiceDidEndMatch()
    #expect(router.calls == [.offGame(["ann"])])
    router.game = GameRoutingMock()
    interactor.gameServiceDidEndMatch()
    #expect(router.calls == [.offGame(["ann"]), .offGame(["ann"])])
  }

  @Test func `leaving ends the running game for the player to move`() throws {
    interactor.leaveGame()
    let board = try #require(Board(.ticTacToe, rows: ["X..", "...", "..."], turn: .o))
    let game = GameRoutingMock(board: board)
    router.game = game
    interactor.leaveGame()
    #expect(game.ends == [Outcome(winner: .x, reason: .left)])
    #expect(gameService.calls == [.open])
  }

  @Test func `quitting clears the screen before it closes the game service`() {
    interactor.quit()
    #expect(router.calls == [.cleanup])
    #expect(gameService.calls == [.open, .quit])
    #expect(listener.exitReports.isEmpty)
  }

  @Test(arguments: [false, true])
  func `the launch action runs after the login, unless the player quits`(quits: Bool) {
    let interactor = RootInteractor(
      presenter: view, gameService: gameService, timers: ManualTimers(), workers: [],
      launchAction: .start(against: .player("bob")),
      isAttended: true)
    let router = RootRoutingSpy(interactor)
    interactor.router = router
    interactor.activate()
    if quits { interactor.quit() }
    interactor.didLogin(as: ["ann"])
    #expect(router.offGame.requests == (quits ? [] : [.start(against: .player("bob"))]))
    // The workflow retains its root until it ends.
    interactor.deactivate()
  }

  @Test func `the program ends when the game service closes`() {
    let exitReport = ExitReport(code: .unavailable, sentence: "Gone.")
    interactor.gameServiceDidClose(exitReport)
    #expect(router.calls == [.cleanup])
    #expect(listener.exitReports == [exitReport])
  }

  @Test func `an input error ends the program`() {
    interactor.inputDidFail("Oh.")
    #expect(listener.exitReports == [ExitReport(code: .ioError, sentence: "Oh.")])
  }

  @Test func `deactivation clears the screen`() {
    interactor.deactivate()
    #expect(router.calls == [.cleanup])
  }
}
