import RIBs
import Shared

/// The interactor, as its router sees it.
protocol ReplayInteractable: Interactable, GameListener {
  var router: (any ReplayRouting)? { get set }
  var listener: (any ReplayListener)? { get set }
}

protocol ReplayViewControllable: ViewContaining, ReplayPresentable {}

final class ReplayRouter:
  ViewableRouter<any ReplayInteractable, any ReplayViewControllable>, ReplayRouting
{
  private let gameDependency: any TicTacToeDependency
  private lazy var game = ChildSlot(of: self, in: viewController)

  init(
    interactor: any ReplayInteractable, viewController: any ReplayViewControllable,
    gameDependency: any TicTacToeDependency
  ) {
    self.gameDependency = gameDependency
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToGame(_ game: Game, setup: GameSetup) {
    let builder = game.builder(dependency: gameDependency)
    self.game.route(to: builder.build(withListener: interactor, setup: setup))
  }

  func detachGame() { game.clear() }
}
