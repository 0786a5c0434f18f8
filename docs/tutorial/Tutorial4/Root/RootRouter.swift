import RIBs

/// The interactor, as its router sees it.
protocol RootInteractable: Interactable, GameListener {
  var listener: (any RootListener)? { get set }
}

/// The root's view, as its router sees it.
protocol RootViewControllable: ViewControllable {
  func present(_ view: any ViewControllable)
}

final class RootRouter: LaunchRouter<any RootInteractable, any RootViewControllable> {
  private let gameBuilder: any GameBuildable

  init(
    interactor: any RootInteractable, viewController: any RootViewControllable,
    gameBuilder: any GameBuildable
  ) {
    self.gameBuilder = gameBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() {
    let game = gameBuilder.build(withListener: interactor)
    viewController.present(game.viewControllable)
    attachChild(game)
  }
}
