import RIBs
import Shared

/// The match's interactor, as its router sees it.
protocol LoggedInInteractable: Interactable, GameListener {
  var router: (any LoggedInRouting)? { get set }
  var listener: (any LoggedInListener)? { get set }
  var detail: String { get }
  /// The router has built a game and will attach it next. The game may end while it is being
  /// attached.
  func gameWillAttach(_ game: any GameRouting)
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let gameBuilder: any GameBuildable
  private var child: (any GameRouting)?

  init(interactor: any LoggedInInteractable, gameBuilder: any GameBuildable) {
    self.gameBuilder = gameBuilder
    super.init(interactor: interactor)
  }

  func attachGame(with setup: GameSetup) {
    let game = gameBuilder.build(withListener: interactor, setup: setup)
    child = game
    interactor.gameWillAttach(game)
    attachChild(game)
  }

  func cleanupViews() {
    guard let child else { return }
    self.child = nil
    detachChild(child)
  }
}

extension LoggedInRouter: RIBDetail {
  var detail: String { interactor.detail }
}
