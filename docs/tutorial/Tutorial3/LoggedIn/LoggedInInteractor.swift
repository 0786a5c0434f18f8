import RIBs

/// LoggedIn's calls to its router.
protocol LoggedInRouting: Routing {
  func routeToOffGame()
  func routeToGame(_ game: Game)
  func routeToChampion(_ champion: Mark)
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
  private let games: GameRegistry
  private let scoreStream: MutableScoreStream

  init(games: GameRegistry, scoreStream: MutableScoreStream) {
    self.games = games
    self.scoreStream = scoreStream
  }

  override func willResignActive() {
    router?.cleanupViews()
  }
}

extension LoggedInInteractor: OffGameListener {
  func didChooseGame(named name: String) {
    if let game = games[name] { router?.routeToGame(game) }
  }

  func didChooseLogOut() {
    listener?.didLogOut()
  }
}

extension LoggedInInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    scoreStream.gameDidEnd(with: outcome)
    if let champion = scoreStream.latest.champion {
      router?.routeToChampion(champion)
    } else {
      router?.routeToOffGame()
    }
  }
}

extension LoggedInInteractor: ChampionListener {
  func didLeaveChampion() {
    listener?.didLogOut()
  }
}
