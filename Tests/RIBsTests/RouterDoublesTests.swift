import RIBs
import Testing

/// Routers with test doubles around them, as in the tutorials.
@Suite struct RouterDoublesTests {
  @Test func `a double of a child is activated and loaded, then deactivated`() throws {
    let parent = RecordingRouter()
    let child = RoutingMock()
    parent.attachChild(child)
    let interactor = try #require(child.interactable as? InteractableMock)
    #expect(parent.children.map(ObjectIdentifier.init) == [ObjectIdentifier(child)])
    #expect(interactor.activateCallCount == 1)
    #expect(child.loadCallCount == 1)
    parent.detachChild(child)
    #expect(parent.children.isEmpty)
    #expect(interactor.deactivateCallCount == 1)
  }

  @Test func `the children of a router follow a double of its interactor`() {
    let interactor = InteractableMock()
    let router = Router<any Interactable>(interactor: interactor)
    let child = RecordingRouter()
    interactor.activate()
    router.load()
    router.attachChild(child)
    interactor.deactivate()
    #expect(!child.interactor.isActive)
    interactor.activate()
    #expect(child.interactor.isActive)
  }

  @Test func `a router of an inactive double attaches its children`() {
    let router = Router<any Interactable>(interactor: InteractableMock())
    let child = RecordingRouter()
    router.load()
    router.attachChild(child)
    #expect(child.interactor.isActive)
  }

  @Test func `a freed router deactivates its double and no longer listens to it`() {
    let interactor = InteractableMock()
    var router: Router<any Interactable>? = Router(interactor: interactor)
    weak let gone = router
    let child = RoutingMock()
    router?.load()
    router?.attachChild(child)
    router = nil
    #expect(gone == nil)
    #expect(interactor.deactivateCallCount == 1)
    #expect((child.interactable as? InteractableMock)?.deactivateCallCount == 1)
  }

  @Test func `doubles and routers keep their common order`() {
    let parent = RecordingRouter()
    let children: [any Routing] = [
      RoutingMock(), RecordingRouter(), RoutingMock(), RecordingRouter(),
    ]
    for child in children { parent.attachChild(child) }
    parent.detachChild(children[0])
    parent.detachChild(children[3])
    #expect(
      parent.children.map(ObjectIdentifier.init) == children[1...2].map(ObjectIdentifier.init))
  }
}
