import RIBs
import Testing

@testable import Tutorial1

/// LoggedIn's interactor between doubles of its router and of the root.
@Suite struct LoggedInInteractorTests {
  private let router = LoggedInRoutingMock()
  private let listener = LoggedInListenerMock()
  private let scoreStream = MutableScoreStream()
  private let interactor: LoggedInInteractor

  init() {
    interactor = LoggedInInteractor(scoreStream: scoreStream)
    interactor.router = router
    interactor.listener = listener
  }

  @Test func `a started game is attached`() {
    interactor.activate()
    interactor.didStartGame()
    #expect(router.calls == ["routeToTicTacToe"])
  }

  @Test func `a game that ends changes the score before OffGame is attached`() {
    var score = Score()
    interactor.activate()
    router.onRouteToOffGame = { [scoreStream] in _ = scoreStream.score.subscribe { score = $0 } }
    interactor.gameDidEnd(with: .won(.o))
    #expect(router.calls == ["routeToOffGame"])
    #expect((score.x, score.o) == (0, 1))
  }

  @Test func `the views are dismissed before LoggedIn is gone`() {
    interactor.activate()
    interactor.deactivate()
    #expect(router.calls == ["cleanupViews"])
  }

  @Test func `a log-out is reported to the root`() {
    interactor.activate()
    interactor.didChooseLogOut()
    #expect(listener.didLogOutCallCount == 1)
    #expect(router.calls == [])
  }
}

/// LoggedIn's router between doubles of its interactor, its view and the builders of its children.
@Suite struct LoggedInRouterTests {
  private let view = ViewMock()
  private let offGameBuilder = OffGameBuildableMock()
  private let ticTacToeBuilder = TicTacToeBuildableMock()
  private let router: LoggedInRouter

  init() {
    router = LoggedInRouter(
      interactor: LoggedInInteractableMock(), viewController: view,
      offGameBuilder: offGameBuilder, ticTacToeBuilder: ticTacToeBuilder)
  }

  @Test func `OffGame is attached and presented when LoggedIn loads`() {
    router.load()
    #expect(router.children.count == 1)
    #expect(router.children.first === offGameBuilder.child)
    #expect(view.presented === offGameBuilder.child.viewControllable)
  }

  @Test func `a game takes the place of OffGame`() {
    router.load()
    router.routeToTicTacToe()
    #expect(router.children.count == 1)
    #expect(router.children.first === ticTacToeBuilder.child)
    #expect(view.presented === ticTacToeBuilder.child.viewControllable)
  }

  @Test func `cleanupViews dismisses the view of the child`() {
    router.load()
    router.cleanupViews()
    #expect(view.presented == nil)
  }
}

private final class LoggedInRoutingMock: LoggedInRouting {
  private(set) var calls: [String] = []
  var onRouteToOffGame: () -> Void = {}
  let interactable: any Interactable = Interactor()
  let lifecycle: Stream<RouterLifecycle> = EventSource().stream
  let children: [any Routing] = []

  func load() {}
  func attachChild(_ child: any Routing) {}
  func detachChild(_ child: any Routing) {}
  func routeToOffGame() {
    calls.append("routeToOffGame")
    onRouteToOffGame()
  }
  func routeToTicTacToe() { calls.append("routeToTicTacToe") }
  func cleanupViews() { calls.append("cleanupViews") }
}

private final class LoggedInListenerMock: LoggedInListener {
  private(set) var didLogOutCallCount = 0

  func didLogOut() { didLogOutCallCount += 1 }
}

private final class LoggedInInteractableMock: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?

  func didStartGame() {}
  func didChooseLogOut() {}
  func gameDidEnd(with outcome: Outcome) {}
}

private final class ViewMock: LoggedInViewControllable {
  private(set) var presented: (any ViewControllable)?

  func present(_ view: any ViewControllable) { presented = view }
  func dismiss(_ view: any ViewControllable) { if presented === view { presented = nil } }
}

private final class OffGameBuildableMock: OffGameBuildable {
  let child = ViewableRouter(interactor: Interactor(), viewController: ViewMock())

  func build(withListener listener: any OffGameListener) -> any ViewableRouting { child }
}

private final class TicTacToeBuildableMock: TicTacToeBuildable {
  let child = ViewableRouter(interactor: Interactor(), viewController: ViewMock())

  func build(withListener listener: any TicTacToeListener) -> any ViewableRouting { child }
}
