import Shared

/// What the router needs of its interactor.
protocol RootInteractable: Interactable, LoggedInListener {
  var router: (any RootRouting)? { get set }
  func accept(_ connection: any Connection)
  var rejectionLines: [UInt8] { get }
  func drain(_ didDrain: @escaping () -> Void)
  func shutDown()
}

final class RootRouter: Router<any RootInteractable>, RootRouting {
  private let loggedInBuilder: any LoggedInBuildable
  private var matches: [ExactText: any LoggedInRouting] = [:]

  init(interactor: any RootInteractable, loggedInBuilder: any LoggedInBuildable) {
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor)
  }

  func launch() {
    interactable.activate()
    load()
  }

  func accept(_ connection: any Connection) {
    interactor.accept(connection)
  }

  var rejectionLines: [UInt8] { interactor.rejectionLines }

  func drain(_ didDrain: @escaping () -> Void) {
    interactor.drain(didDrain)
  }

  func shutDown() {
    interactor.shutDown()
  }

  func hasMatch(_ match: String) -> Bool { matches[ExactText(match)] != nil }

  var matchCount: Int { matches.count }

  func match(_ id: String) -> (any Match)? { matches[ExactText(id)]?.match }

  func attachMatch(with setup: MatchSetup) {
    let match = loggedInBuilder.build(withListener: interactor, setup: setup)
    matches[ExactText(setup.id)] = match
    attachChild(match)
  }

  func detachMatch(_ match: String) {
    guard let match = matches.removeValue(forKey: ExactText(match)) else { return }
    detachChild(match)
  }

  func matchSummaries(atMost count: Int) -> Page<MatchSummary> {
    let first = children(prefix: count).compactMap { ($0 as? any LoggedInRouting)?.summary }
    return Page(first, more: matchCount - first.count)
  }

  func shutDownMatches() {
    for case let match as any LoggedInRouting in children { match.shutDown() }
  }
}
