import Testing

@testable import RIBs

@Suite struct ChildSlotTests {
  private let view = ContainerMock()
  private let parent = Router<any Interactable>(interactor: Interactor())
  private let slot: ChildSlot

  init() {
    parent.interactable.activate()
    slot = ChildSlot(of: parent, in: view)
  }

  private func child() -> ViewableRouter<any Interactable, any ViewControllable> {
    ViewableRouter(interactor: Interactor(), viewController: PlainView())
  }

  @Test func `a child is shown and attached`() {
    let child = child()
    slot.route(to: child)
    #expect(view.shown === child.viewController)
    #expect(child.interactable.isActive)
    #expect(slot.child === child)
  }

  @Test func `a new child takes the place of the one before`() {
    let (first, second) = (child(), child())
    slot.route(to: first)
    slot.route(to: second)
    #expect(view.hidden.count == 1 && view.hidden.first === first.viewController)
    #expect(!first.interactable.isActive)
    #expect(parent.children.count == 1)
    #expect(slot.child === second)
  }

  @Test func `an empty slot has nothing to clear`() {
    slot.clear()
    slot.route(to: child())
    slot.clear()
    slot.clear()
    #expect(slot.child == nil)
    #expect(view.hidden.count == 1)
    #expect(parent.children.isEmpty)
  }
}

private final class PlainView: ViewControllable {}

private final class ContainerMock: ViewContaining {
  private(set) var shown: (any ViewControllable)?
  private(set) var hidden: [any ViewControllable] = []

  func show(_ view: any ViewControllable) { shown = view }

  func hide(_ view: any ViewControllable) { hidden.append(view) }
}
