import Shared
import Testing

@Suite struct RouterTests {
  private let journal = Journal()

  @Test func `to attach is to append, to activate and to load`() {
    let parent = NotingRouter("parent", journal)
    let child = NotingRouter("child", journal)
    child.interactor.onBecomeActive = { [journal, unowned parent] in
      journal.note("\(parent.children.count) children")
    }
    parent.attachChild(child)
    #expect(journal.take() == ["child up true", "1 children", "child loaded"])
  }

  @Test func `to load says so on the stream, then to the router, once`() {
    let router = NotingRouter("it", journal)
    _ = router.lifecycle.subscribe { [journal] in journal.note("\($0)") }
    router.load()
    router.load()
    #expect(journal.take() == ["didLoad", "it loaded"])
  }

  @Test func `to detach deactivates the subtree, parents first, then forgets the child`() {
    let root = NotingRouter("root", journal)
    let tree = threeDeep()
    root.attachChild(tree)
    tree.interactor.onResignActive = { [journal, unowned root] in
      journal.note("\(root.children.count) children")
    }
    _ = journal.take()
    root.detachChild(tree)
    #expect(
      journal.take() == [
        "a down true", "1 children", "b down true", "c down true", "d down true", "e down true",
      ])
    #expect(root.children.isEmpty)
  }

  @Test func `a branch attached again wakes, parents first, and does not load again`() {
    let root = NotingRouter("root", journal)
    let tree = threeDeep()
    root.attachChild(tree)
    root.detachChild(tree)
    _ = journal.take()
    root.attachChild(tree)
    #expect(journal.take() == ["a up true", "b up true", "c up true", "d up true", "e up true"])
  }

  @Test func `children stand in the order of attachment, also after a detach`() {
    let parent = NotingRouter()
    let children = (0..<4).map { NotingRouter("\($0)") }
    for child in children { parent.attachChild(child) }
    parent.detachChild(children[1])
    parent.attachChild(children[1])
    let names = parent.children.compactMap { ($0 as? NotingRouter)?.interactor.name }
    #expect(names == ["0", "2", "3", "1"])
  }

  @Test func `to detach a stranger is nothing`() {
    let (parent, other) = (NotingRouter("parent", journal), NotingRouter("other", journal))
    let child = NotingRouter("child", journal)
    other.attachChild(child)
    parent.detachChild(child)
    #expect(child.interactor.isActive)
    #expect(other.children.count == 1)
  }

  @Test func `a router that goes puts its subtree to sleep`() {
    var root: NotingRouter? = NotingRouter("root", journal)
    let tree = threeDeep()
    root?.interactor.activate()
    root?.attachChild(tree)
    withExtendedLifetime(root) { _ = journal.take() }
    root = nil
    #expect(
      journal.take() == [
        "root down true", "a down true", "b down true", "c down true", "d down true", "e down true",
      ])
    NotingRouter().attachChild(tree)
    #expect(journal.take().first == "a up true")
  }

  @Test func `to attach what is attached is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      let (parent, child) = (NotingRouter(), NotingRouter())
      parent.attachChild(child)
      parent.attachChild(child)
    }
    await #expect(processExitsWith: .failure) {
      let (parent, other, child) = (NotingRouter(), NotingRouter(), NotingRouter())
      parent.attachChild(child)
      other.attachChild(child)
    }
    await #expect(processExitsWith: .failure) {
      let (parent, child) = (NotingRouter(), RoutingMock())
      parent.attachChild(child)
      parent.attachChild(child)
    }
  }

  @Test func `a router over what is no interactor is a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = Router(interactor: "a string") }
  }

  @Test func `a second router over one interactor is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      let interactor = Interactor()
      let first = Router(interactor: interactor)
      _ = Router(interactor: interactor)
      withExtendedLifetime(first) {}
    }
  }

  @Test func `an interactor whose router has gone may get another`() {
    let interactor = Interactor()
    do { _ = Router(interactor: interactor) }
    let (router, child) = (Router(interactor: interactor), NotingRouter())
    router.attachChild(child)
    interactor.activate()
    interactor.deactivate()
    #expect(!child.interactor.isActive)
  }

  @Test func `the objects of a RIB are freed after it was detached`() {
    let parent = NotingRouter()
    weak var router: NotingRouter?
    weak var interactor: NotingInteractor?
    do {
      let child = NotingRouter()
      (router, interactor) = (child, child.interactor)
      _ = child.lifecycle.subscribe { _ in }
      _ = child.interactor.isActiveStream.subscribe { _ in }
      child.attachChild(NotingRouter())
      parent.attachChild(child)
      parent.detachChild(child)
    }
    #expect(router == nil)
    #expect(interactor == nil)
  }

  /// a ─ (b ─ (c, d), e), loaded below a.
  private func threeDeep() -> NotingRouter {
    let (a, b) = (NotingRouter("a", journal), NotingRouter("b", journal))
    b.onLoad = { [journal, unowned b] in
      b.attachChild(NotingRouter("c", journal))
      b.attachChild(NotingRouter("d", journal))
    }
    a.onLoad = { [journal, unowned a] in
      a.attachChild(b)
      a.attachChild(NotingRouter("e", journal))
    }
    return a
  }
}
