import RIBs

/// The interactor, as its router sees it.
protocol RootInteractable: Interactable, LoggedOutListener, LoggedInListener {
  var router: (any RootRouting)? { get set }
}

/// The root's view, as its router sees it.
protocol RootViewControllable: ViewControllable {
  func present(_ view: any ViewControllable)
  func dismiss(_ view: any ViewControllable)
}

final class RootRouter: LaunchRouter<any RootInteractable, any RootViewControllable>, RootRouting {
  private let loggedOutBuilder: any LoggedOutBuildable
  private let loggedInBuilder: any LoggedInBuildable
  private var loggedOut: (any ViewableRouting)?
  private var loggedIn: (any Routing)?

  init(
    interactor: any RootInteractable, viewController: any RootViewControllable,
    loggedOutBuilder: any LoggedOutBuildable, loggedInBuilder: any LoggedInBuildable
  ) {
    self.loggedOutBuilder = loggedOutBuilder
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() {
    routeToLoggedOut()
  }

  func routeToLoggedOut() {
    if let loggedIn { detachChild(loggedIn) }
    loggedIn = nil
    let loggedOut = loggedOutBuilder.build(withListener: interactor)
    self.loggedOut = loggedOut
    viewController.present(loggedOut.viewControllable)
    attachChild(loggedOut)
  }

  func routeToLoggedIn(with players: Players) {
    if let loggedOut {
      viewController.dismiss(loggedOut.viewControllable)
      detachChild(loggedOut)
    }
    loggedOut = nil
    let loggedIn = loggedInBuilder.build(withListener: interactor, players: players)
    self.loggedIn = loggedIn
    attachChild(loggedIn)
  }
}
