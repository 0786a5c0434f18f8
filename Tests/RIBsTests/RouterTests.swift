import RIBs
import Testing

@Suite struct RouterTests {
  private let calls = CallLog()

  @Test func `attaching appends, activates and loads the child`() {
    let parent = RecordingRouter("parent", calls)
    let child = RecordingRouter("child", calls)
    child.interactor.onBecomeActive = { [calls, unowned parent] in
      calls.record("\(parent.children.count) children")
    }
    parent.attachChild(child)
    #expect(calls.take() == ["child up true", "1 children", "child loaded"])
  }

  @Test func `loading is delivered on the stream, then didLoad is called, once`() {
    let router = RecordingRouter("it", calls)
    _ = router.lifecycle.subscribe { [calls] in calls.record("\($0)") }
    router.load()
    router.load()
    #expect(calls.take() == ["didLoad", "it loaded"])
  }

  @Test func `detaching deactivates the subtree, parents first, then forgets the child`() {
    let root = RecordingRouter("root", calls)
    let tree = threeDeep()
    root.attachChild(tree)
    tree.interactor.onResignActive = { [calls, unowned root] in
      calls.record("\(root.children.count) children")
    }
    _ = calls.take()
    root.detachChild(tree)
    #expect(
      calls.take() == [
        "a down true", "1 children", "b down true", "c down true", "d down true", "e down true",
      ])
    #expect(root.children.isEmpty)
  }

  @Test func `a branch attached again is activated, parents first, and does not load again`() {
    let root = RecordingRouter("root", calls)
    let tree = threeDeep()
    root.attachChild(tree)
    root.detachChild(tree)
    _ = calls.take()
    root.attachChild(tree)
    #expect(calls.take() == ["a up true", "b up true", "c up true", "d up true", "e up true"])
  }

  @Test func `children keep the order of attachment, also after a detachment`() {
    let parent = RecordingRouter()
    let children = (0..<4).map { RecordingRouter("\($0)") }
    for child in children { parent.attachChild(child) }
    parent.detachChild(children[1])
    parent.attachChild(children[1])
    let names = parent.children.compactMap { ($0 as? RecordingRouter)?.interactor.name }
    #expect(names == ["0", "2", "3", "1"])
  }

  @Test func `detaching a router that is not a child does nothing`() {
    let (parent, other) = (RecordingRouter("parent", calls), RecordingRouter("other", calls))
    let child = RecordingRouter("child", calls)
    other.attachChild(child)
    parent.detachChild(child)
    #expect(child.interactor.isActive)
    #expect(other.children.count == 1)
  }

  @Test func `a freed router deactivates its subtree`() {
    var root: RecordingRouter? = RecordingRouter("root", calls)
    let tree = threeDeep()
    root?.interactor.activate()
    root?.attachChild(tree)
    withExtendedLifetime(root) { _ = calls.take() }
    root = nil
    #expect(
      calls.take() == [
        "root down true", "a down true", "b down true", "c down true", "d down true", "e down true",
      ])
    RecordingRouter().attachChild(tree)
    #expect(calls.take().first == "a up true")
  }

  @Test func `attaching an attached router is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      let (parent, child) = (RecordingRouter(), RecordingRouter())
      parent.attachChild(child)
      parent.attachChild(child)
    }
    await #expect(processExitsWith: .failure) {
      let (parent, other, child) = (RecordingRouter(), RecordingRouter(), RecordingRouter())
      parent.attachChild(child)
      other.attachChild(child)
    }
    await #expect(processExitsWith: .failure) {
      let (parent, child) = (RecordingRouter(), RoutingMock())
      parent.attachChild(child)
      parent.attachChild(child)
    }
  }

  @Test func `a router for an object that is not an interactor is a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = Router(interactor: "a string") }
  }

  @Test func `a second router for an interactor is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      let interactor = Interactor()
      let first = Router(interactor: interactor)
      _ = Router(interactor: interactor)
      withExtendedLifetime(first) {}
    }
  }

  @Test func `an interactor whose router was freed may get another one`() {
    let interactor = Interactor()
    do { _ = Router(interactor: interactor) }
    let (router, child) = (Router(interactor: interactor), RecordingRouter())
    router.attachChild(child)
    interactor.activate()
    interactor.deactivate()
    #expect(!child.interactor.isActive)
  }

  @Test func `the objects of a RIB are freed after its detachment`() {
    let parent = RecordingRouter()
    weak var router: RecordingRouter?
    weak var interactor: RecordingInteractor?
    do {
      let child = RecordingRouter()
      (router, interactor) = (child, child.interactor)
      _ = child.lifecycle.subscribe { _ in }
      _ = child.interactor.isActiveStream.subscribe { _ in }
      child.attachChild(RecordingRouter())
      parent.attachChild(child)
      parent.detachChild(child)
    }
    #expect(router == nil)
    #expect(interactor == nil)
  }

  /// a ─ (b ─ (c, d), e), loaded below a.
  private func threeDeep() -> RecordingRouter {
    let (a, b) = (RecordingRouter("a", calls), RecordingRouter("b", calls))
    b.onLoad = { [calls, unowned b] in
      b.attachChild(RecordingRouter("c", calls))
      b.attachChild(RecordingRouter("d", calls))
    }
    a.onLoad = { [calls, unowned a] in
      a.attachChild(b)
      a.attachChild(RecordingRouter("e", calls))
    }
    return a
  }
}
