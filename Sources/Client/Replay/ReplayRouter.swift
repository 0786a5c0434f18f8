import Shared

/// The interactor, as its router sees it.
protocol ReplayInteractable: Interactable, GameListener {
  var router: (any ReplayRouting)? { get set }
  var listener: (any ReplayListener)? { get set }
}

/// The view of Replay.
protocol ReplayViewControllable: ViewControllable, ReplayPresentable {
  /// Shows the view of a game.
  func show(_ view: any ViewControllable)
  func hide(_ view: any ViewControllable)
}

final class ReplayRouter:
  ViewableRouter<any ReplayInteractable, any ReplayViewControllable>, ReplayRouting
{
  private let gameDependency: any TicTacToeDependency
  private var game: (any GameRouting)?

  init(
    interactor: any ReplayInteractable, viewController: any ReplayViewControllable,
    gameDependency: any TicTacToeDependency
  ) {
    self.gameDependency = gameDependency
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToGame(_ game: GameInfo, in match: RemoteMatch, setup: GameSetup) {
    detachGame()
    let builder = RemoteTicTacToeBuilder(dependency: gameDependency, game: game, match: match)
    let new = builder.build(withListener: interactor, setup: setup)
    self.game = new
    viewController.show(new.viewControllable)
    attachChild(new)
  }

  func detachGame() {
    guard let old = game else { return }
    game = nil
    viewController.hide(old.viewControllable)
    detachChild(old)
  }
}
