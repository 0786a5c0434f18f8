import RIBs

/// LoggedIn's calls to its router.
protocol LoggedInRouting: Routing {
  func routeToOffGame()
  func routeToTicTacToe()
  /// Dismisses the view of the child, because LoggedIn is about to be detached.
  func cleanupViews()
}

/// LoggedIn's calls to the root.
protocol LoggedInListener: AnyObject {
  func didLogOut()
}

final class LoggedInInteractor: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?
  private let scoreStream: MutableScoreStream

  init(scoreStream: MutableScoreStream) {
    self.scoreStream = scoreStream
  }

  override func willResignActive() {
    router?.cleanupViews()
  }
}

extension LoggedInInteractor: OffGameListener {
  func didStartGame() {
    router?.routeToTicTacToe()
  }

  func didChooseLogOut() {
    listener?.didLogOut()
  }
}

extension LoggedInInteractor: TicTacToeListener {
  func gameDidEnd(with outcome: Outcome) {
    scoreStream.gameDidEnd(with: outcome)
    router?.routeToOffGame()
  }
}
