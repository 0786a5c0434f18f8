import Shared

/// What the router needs of its interactor.
protocol RootInteractable: Interactable, LoggedInListener {
  var router: (any RootRouting)? { get set }
  func accept(_ connection: any Connection)
  var farewellLines: [UInt8] { get }
  func drain(_ didDrain: @escaping () -> Void)
  func shutDown()
}

final class RootRouter: Router<any RootInteractable>, RootRouting {
  private let loggedInBuilder: any LoggedInBuildable
  private var matches: [String: any LoggedInRouting] = [:]

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

  var farewellLines: [UInt8] { interactor.farewellLines }

  func drain(_ didDrain: @escaping () -> Void) {
    interactor.drain(didDrain)
  }

  func shutDown() {
    interactor.shutDown()
  }

  func hasMatch(_ match: String) -> Bool { matches[match] != nil }

  var matchCount: Int { matches.count }

  func match(_ id: String) -> (any Match)? { matches[id]?.match }

  func attachMatch(with setup: MatchSetup) {
    let match = loggedInBuilder.build(withListener: interactor, setup: setup)
    matches[setup.id] = match
    attachChild(match)
  }

  func detachMatch(_ match: String) {
    guard let match = matches.removeValue(forKey: match) else { return }
    detachChild(match)
  }

  func listedMatches(atMost count: Int) -> Page<MatchSummary> {
    let children = children
    let most = children.prefix(count)
    return Page(
      most.compactMap { ($0 as? any LoggedInRouting)?.listed }, more: children.count - most.count)
  }

  func shutDownMatches() {
    for case let match as any LoggedInRouting in children { match.shutDown() }
  }
}
