import RIBs
import Shared

@testable import Server

/// A mock of a router, which is not a `Router`.
class RoutingMock: Routing {
  let interactable: any Interactable = Interactor()
  let lifecycle: RIBs.Stream<RouterLifecycle> = EventSource().stream
  private(set) var children: [any Routing] = []
  private(set) var loadCallCount = 0

  func load() { loadCallCount += 1 }
  func attachChild(_ child: any Routing) { children.append(child) }
  func detachChild(_ child: any Routing) { children.removeAll { $0 === child } }
}

final class RootInteractableMock: Interactor, RootInteractable {
  weak var router: (any RootRouting)?
  private(set) var ended: [String] = []

  func gameDidBegin(in match: String) {}
  func gameDidEnd(in match: String) {}
  func matchDidEnd(_ match: String, lost: [Session]) { ended.append(match) }
}

final class RootRoutingMock: RoutingMock, RootRouting {
  private(set) var attached: [MatchSetup] = []
  private(set) var detached: [String] = []

  func attachMatch(with setup: MatchSetup) { attached.append(setup) }
  func detachMatch(_ match: String) { detached.append(match) }
}
