import RIBs

/// The interactor, as its router sees it.
protocol LoggedInInteractable: Interactable, OffGameListener, TicTacToeListener {
  var router: (any LoggedInRouting)? { get set }
  var listener: (any LoggedInListener)? { get set }
}

/// The view of a RIB above this one, as this router sees it.
protocol LoggedInViewControllable: ViewControllable {
  func present(_ view: any ViewControllable)
  func dismiss(_ view: any ViewControllable)
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let viewController: any LoggedInViewControllable
  private let offGameBuilder: any OffGameBuildable
  private let ticTacToeBuilder: any TicTacToeBuildable
  private var currentChild: (any ViewableRouting)?

  init(
    interactor: any LoggedInInteractable, viewController: any LoggedInViewControllable,
    offGameBuilder: any OffGameBuildable, ticTacToeBuilder: any TicTacToeBuildable
  ) {
    self.viewController = viewController
    self.offGameBuilder = offGameBuilder
    self.ticTacToeBuilder = ticTacToeBuilder
    super.init(interactor: interactor)
  }

  override func didLoad() {
    routeToOffGame()
  }

  func routeToOffGame() {
    route(to: offGameBuilder.build(withListener: interactor))
  }

  func routeToTicTacToe() {
    route(to: ticTacToeBuilder.build(withListener: interactor))
  }

  func cleanupViews() {
    if let currentChild { viewController.dismiss(currentChild.viewControllable) }
  }

  private func route(to child: any ViewableRouting) {
    if let currentChild {
      viewController.dismiss(currentChild.viewControllable)
      detachChild(currentChild)
    }
    currentChild = child
    viewController.present(child.viewControllable)
    attachChild(child)
  }
}
