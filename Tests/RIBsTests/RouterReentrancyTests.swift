import RIBs
import Testing

/// Changes of the tree that RIBs make while the tree is changing.
@Suite struct RouterReentrancyTests {
  private let calls = CallLog()
  private let parent: RecordingRouter
  private let first: RecordingRouter
  private let second: RecordingRouter

  init() {
    parent = RecordingRouter("parent", calls)
    first = RecordingRouter("first", calls)
    second = RecordingRouter("second", calls)
    parent.interactor.activate()
    _ = calls.take()
  }

  @Test func `a child that ends while it becomes active is detached and not loaded`() {
    first.interactor.onBecomeActive = { [unowned parent, unowned first] in
      parent.detachChild(first)
    }
    parent.attachChild(first)
    #expect(calls.take() == ["first up true", "first down true"])
    #expect(parent.children.isEmpty)
  }

  @Test func `a child detached before it loaded is loaded when it is attached again`() {
    var isFirst = true
    first.interactor.onBecomeActive = { [unowned parent, unowned first] in
      guard isFirst else { return }
      isFirst = false
      parent.detachChild(first)
    }
    parent.attachChild(first)
    _ = calls.take()
    parent.attachChild(first)
    #expect(calls.take() == ["first up true", "first loaded"])
  }

  @Test func `a child can replace itself while it becomes active`() {
    first.interactor.onBecomeActive = { [unowned parent, unowned first, second] in
      parent.detachChild(first)
      parent.attachChild(second)
    }
    parent.attachChild(first)
    #expect(
      calls.take() == ["first up true", "first down true", "second up true", "second loaded"])
    #expect(parent.children.map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
  }

  @Test func `a child can attach a sibling while it loads`() {
    first.onLoad = { [unowned parent, second] in parent.attachChild(second) }
    parent.attachChild(first)
    #expect(
      calls.take() == ["first up true", "first loaded", "second up true", "second loaded"])
  }

  @Test func `a child can detach itself while it loads`() {
    first.onLoad = { [unowned parent, unowned first] in parent.detachChild(first) }
    parent.attachChild(first)
    #expect(calls.take() == ["first up true", "first loaded", "first down true"])
    #expect(parent.children.isEmpty)
  }

  @Test func `a child that asks for its detachment while it resigns is detached once`() {
    first.interactor.onResignActive = { [unowned parent, unowned first] in
      parent.detachChild(first)
    }
    parent.attachChild(first)
    _ = calls.take()
    parent.detachChild(first)
    #expect(calls.take() == ["first down true"])
    #expect(parent.children.isEmpty)
  }

  @Test func `a child can attach its successor while it resigns`() {
    first.interactor.onResignActive = { [unowned parent, second] in parent.attachChild(second) }
    parent.attachChild(first)
    _ = calls.take()
    parent.detachChild(first)
    #expect(calls.take() == ["first down true", "second up true", "second loaded"])
    #expect(parent.children.map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
  }

  @Test func `a child that detaches itself within a call is freed`() {
    weak var gone: RecordingRouter?
    do {
      let child = RecordingRouter("child", calls)
      gone = child
      parent.attachChild(child)
    }
    let interactor = gone?.interactor
    let gameDidEnd = { [unowned parent] in if let gone { parent.detachChild(gone) } }
    gameDidEnd()
    #expect(gone == nil)
    #expect(interactor?.isActive == false)
  }

  @Test func `a sibling detached while a branch is activated stays inactive`() {
    parent.attachChild(first)
    parent.attachChild(second)
    parent.interactor.deactivate()
    first.interactor.onBecomeActive = { [unowned parent, unowned second] in
      parent.detachChild(second)
    }
    _ = calls.take()
    parent.interactor.activate()
    #expect(calls.take() == ["parent up true", "first up true"])
    #expect(!second.interactor.isActive)
  }

  @Test func `a branch deactivated while it is activated stays inactive`() {
    parent.attachChild(first)
    parent.attachChild(second)
    parent.interactor.deactivate()
    first.interactor.onBecomeActive = { [unowned parent] in parent.interactor.deactivate() }
    _ = calls.take()
    parent.interactor.activate()
    #expect(
      calls.take() == ["parent up true", "first up true", "parent down true", "first down true"])
    #expect(!second.interactor.isActive)
  }

  @Test func `a sibling that moves away while a branch is deactivated stays active`() {
    let other = RecordingRouter()
    parent.attachChild(first)
    parent.attachChild(second)
    first.interactor.onResignActive = { [unowned parent, unowned second] in
      parent.detachChild(second)
      other.attachChild(second)
    }
    parent.interactor.deactivate()
    #expect(second.interactor.isActive)
  }

  @Test func `a parent may be freed while it attaches a child`() {
    var grandparent: RecordingRouter? = RecordingRouter("grandparent", calls)
    do {
      let middle = RecordingRouter("middle", calls)
      middle.onLoad = { [first, unowned middle] in middle.attachChild(first) }
      first.interactor.onBecomeActive = { grandparent = nil }
      grandparent?.attachChild(middle)
    }
    #expect(grandparent == nil)
    #expect(!first.interactor.isActive)
  }
}
