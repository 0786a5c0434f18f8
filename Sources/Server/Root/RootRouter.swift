import RIBs
import Shared

/// The root's interactor, as its router sees it.
protocol RootInteractable: Interactable, LoggedInListener {
  var router: (any RootRouting)? { get set }
}

final class RootRouter: Router<any RootInteractable>, RootRouting {
  private let loggedInBuilder: any LoggedInBuildable
  private var matches: [ExactText: any LoggedInRouting] = [:]

  init(interactor: any RootInteractable, loggedInBuilder: any LoggedInBuildable) {
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor)
  }

  func attachMatch(with setup: MatchSetup) {
    let match = loggedInBuilder.build(withListener: interactor, setup: setup)
    matches[ExactText(setup.id)] = match
    attachChild(match)
  }

  func detachMatch(_ match: String) {
    guard let match = matches.removeValue(forKey: ExactText(match)) else { return }
    detachChild(match)
  }
}
