import Shared

/// What the router needs of its interactor.
protocol LoggedInInteractable: Interactable, GameListener {
  var router: (any LoggedInRouting)? { get set }
  var listener: (any LoggedInListener)? { get set }
  var summary: MatchSummary { get }
  var match: any Match { get }
  var detail: String { get }
  func shutDown()
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let gameBuilder: any GameBuildable
  private(set) var currentGame: (any GameRouting)?

  init(interactor: any LoggedInInteractable, gameBuilder: any GameBuildable) {
    self.gameBuilder = gameBuilder
    super.init(interactor: interactor)
  }

  var summary: MatchSummary { interactor.summary }

  var match: any Match { interactor.match }

  func shutDown() {
    interactor.shutDown()
  }

  func attachGame(with setup: GameSetup) {
    let game = gameBuilder.build(withListener: interactor, setup: setup)
    currentGame = game
    attachChild(game)
  }

  func cleanupViews() {
    guard let game = currentGame else { return }
    currentGame = nil
    detachChild(game)
  }
}

extension LoggedInRouter: RIBDetail {
  var detail: String { interactor.detail }
}
