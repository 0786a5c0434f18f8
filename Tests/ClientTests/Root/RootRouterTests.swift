import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct RootRouterTests {
  private let view = RootViewControllableMock()
  private let interactor: RootInteractor
  private let loggedOut = LoggedOutBuildableMock()
  private let offGame = OffGameBuildableMock()
  private let gameDependency = GameDependencyMock()
  private let router: RootRouter
  private let setup = GameSetup(
    series: Series(PerMark(x: .person("ann"), o: .person("bob"))), seat: .both,
    board: Board(.ticTacToe))

  init() {
    interactor = RootInteractor(
      presenter: PlainRootView(console: TestTerminal().console), gameService: GameServiceMock(),
      timers: ManualTimers(),
      workers: [],
      launchAction: nil, isAttended: true)
    router = RootRouter(
      interactor: interactor, viewController: view, loggedOutBuilder: loggedOut,
      offGameBuilder: offGame, replayBuilder: ReplayBuildableMock(),
      gameDependency: gameDependency)
    interactor.activate()
  }

  @Test func `a replay is shown over OffGame, which stays attached`() {
    router.routeToOffGame(as: ["ann"], after: nil)
    router.routeToReplay(StoredMatch.example.replay, firstGame: 0)
    #expect(router.children.map { $0 is any OffGameRouting } == [true, false])
    router.detachReplay()
    #expect(router.children.map { $0 is any OffGameRouting } == [true])
    #expect(view.calls == ["show 1", "show 2", "hide 2", "show 3"])
    router.routeToReplay(StoredMatch.example.replay, firstGame: 0)
    router.cleanupViews()
    #expect(router.children.isEmpty)
  }

  @Test func `one RIB at a time is attached and shown`() throws {
    router.routeToLoggedOut(alert: nil)
    #expect(router.children.map { $0 is any LoggedOutRouting } == [true])
    router.routeToOffGame(as: ["ann"], after: nil)
    #expect(router.children.map { $0 is any OffGameRouting } == [true])
    #expect(offGame.names == [["ann"]])
    router.routeToGame(Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init), setup: setup)
    #expect(router.children.map { $0 is any GameRouting } == [true])
    router.cleanupViews()
    #expect(router.children.isEmpty)
    #expect(
      view.calls == [
        "show 1", "hide 1", "show 2", "hide 2", "show 3", "hide 3",
      ])
  }

  @Test func `a hidden child is inactive, and the current one active`() throws {
    router.routeToLoggedOut(alert: nil)
    let first = try #require(router.children.first)
    #expect(first.interactable.isActive)
    router.routeToOffGame(as: [], after: nil)
    #expect(!first.interactable.isActive)
    #expect(router.children.first?.interactable.isActive == true)
  }

  @Test func `the root interactor is the listener of its children`() {
    router.routeToLoggedOut(alert: nil)
    router.routeToOffGame(as: [], after: nil)
    #expect(loggedOut.listener === interactor)
    #expect(offGame.listener === interactor)
  }

  @Test func `the current game exists only while a game runs`() {
    #expect(router.currentGame == nil)
    router.routeToOffGame(as: [], after: nil)
    #expect(router.currentGame == nil)
    router.routeToGame(Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init), setup: setup)
    #expect(router.currentGame?.board == Board(.ticTacToe))
    router.cleanupViews()
    router.cleanupViews()
    #expect(router.currentGame == nil)
    #expect(view.calls.count == 4)
  }

  @Test func `a game that ends as soon as it begins is replaced by the next view`() {
    interactor.router = router
    let bots = GameSetup(
      series: Series(PerMark(x: .bot, o: .bot)), seat: .both, board: Board(.ticTacToe))
    router.routeToGame(Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init), setup: bots)
    #expect(router.children.map { $0 is any OffGameRouting } == [true])
    #expect(view.calls == ["show 1", "hide 1", "show 2"])
  }
}

private final class RootViewControllableMock: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  /// Each call with the number of its view. Views are numbered in the order of `show`.
  private(set) var calls: [String] = []
  private var views: [any ViewControllable] = []

  func show(_ news: MatchNews) {}
  func say(_ sentence: String) {}
  func confirm(_ sentence: String) {}
  func warn(_ sentence: String) {}

  func show(_ view: any ViewControllable) {
    views.append(view)
    calls.append("show \(views.count)")
  }

  func hide(_ view: any ViewControllable) {
    calls.append("hide \((views.firstIndex { $0 === view } ?? -1) + 1)")
  }
}

private final class LoggedOutBuildableMock: LoggedOutBuildable {
  private final class Router: ViewableRouter<any Interactable, any ViewControllable>,
    LoggedOutRouting
  {}

  private(set) weak var listener: (any LoggedOutListener)?

  func build(
    withListener listener: any LoggedOutListener, alert: LoginFormError?
  ) -> any LoggedOutRouting {
    self.listener = listener
    return Router(interactor: Interactor(), viewController: RecordingGameView())
  }
}

private final class OffGameBuildableMock: OffGameBuildable {
  private final class Router: ViewableRouter<any Interactable, any ViewControllable>,
    OffGameRouting
  {
    let actionableItem: any OffGameActionableItem = OffGameActionableItemMock()
    func routeToAccount(_ purpose: AccountPurpose) {}
    func routeToHistory(of owner: HistoryOwner) {}
    func routeToLeaderboard(of game: String) {}
    func detachCurrent() {}
  }

  private(set) weak var listener: (any OffGameListener)?
  private(set) var names: [[String]] = []

  func build(
    withListener listener: any OffGameListener, names: [String], lastGame: LastGame?
  ) -> any OffGameRouting {
    self.listener = listener
    self.names.append(names)
    return Router(interactor: Interactor(), viewController: RecordingGameView())
  }
}

private final class ReplayBuildableMock: ReplayBuildable {
  private final class Router: ViewableRouter<any Interactable, any ViewControllable>,
    ReplayRouting
  {
    func routeToGame(_ game: Game, setup: GameSetup) {}
    func detachGame() {}
  }

  func build(
    withListener listener: any ReplayListener, replay: Replay, firstGame: Int
  ) -> any ReplayRouting {
    Router(interactor: Interactor(), viewController: RecordingGameView())
  }
}
