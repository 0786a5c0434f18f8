import RIBs

/// The root's calls to its router.
protocol RootRouting: LaunchRouting {
  func routeToLoggedOut()
  func routeToLoggedIn(with players: Players)
}

final class RootInteractor: Interactor, RootInteractable {
  weak var router: (any RootRouting)?
}

extension RootInteractor: LoggedOutListener {
  func didLogIn(as players: Players) {
    router?.routeToLoggedIn(with: players)
  }
}

extension RootInteractor: LoggedInListener {
  func didLogOut() {
    router?.routeToLoggedOut()
  }
}
