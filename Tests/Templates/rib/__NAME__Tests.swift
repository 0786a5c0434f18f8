import RIBs
import TestSupport
import Testing

@testable import Client

@Suite struct __NAME__Tests {
  private let view = __NAME__ViewMock()
  private let listener = __NAME__ListenerMock()

  private func build(_ view: any __NAME__ViewControllable) -> any __NAME__Routing {
    __NAME__Builder(dependency: __NAME__DependencyMock(view: view)).build(withListener: listener)
  }

  @Test func `the view shows a sentence as soon as the RIB is active`() {
    let router = build(view)
    #expect(view.sentences.isEmpty)
    router.interactable.activate()
    #expect(view.sentences == ["This is __NAME__."])
  }

  @Test func `the parent learns that the person goes back`() {
    let router = build(view)
    router.interactable.activate()
    view.listener?.close()
    #expect(listener.finishCount == 1)
  }

  @Test func `the full screen shows the sentence, and Esc goes back`() {
    let screen = __NAME__View(screen: Screen(timers: ManualTimers()))
    let router = build(screen)
    router.interactable.activate()
    for size in [Size.usual, screen.minimumSize] {
      var frame = Frame(size: size)
      screen.draw(into: &frame)
      #expect(frame.position(of: "This is __NAME__.") != nil)
    }
    #expect(screen.press(.character("x")) == .unused)
    #expect(screen.press(.escape) == .used)
    #expect(listener.finishCount == 1)
  }

  @Test func `plain lines show the sentence, and back goes back`() {
    let terminal = TestTerminal()
    let plain = Plain__NAME__View(console: terminal.console)
    let router = build(plain)
    router.interactable.activate()
    #expect(terminal.takeOutput() == "This is __NAME__.\n")
    #expect(!plain.didType("forth"))
    #expect(plain.didType("back"))
    #expect(listener.finishCount == 1)
  }

  @Test func `a released RIB is deallocated`() {
    weak var interactor: AnyObject?
    do {
      let router = build(view)
      router.interactable.activate()
      interactor = router.interactable
      #expect(interactor != nil)
    }
    #expect(interactor == nil)
  }
}

private final class __NAME__DependencyMock: __NAME__Dependency {
  private let view: any __NAME__ViewControllable

  init(view: any __NAME__ViewControllable) {
    self.view = view
  }

  func make__NAME__View() -> any __NAME__ViewControllable { view }
}

private final class __NAME__ViewMock: __NAME__ViewControllable {
  weak var listener: (any __NAME__PresentableListener)?
  private(set) var sentences: [String] = []

  func show(_ sentence: String) { sentences.append(sentence) }
}

private final class __NAME__ListenerMock: __NAME__Listener {
  private(set) var finishCount = 0

  func __name__DidFinish() { finishCount += 1 }
}

/// For the tests of __PARENT__'s router.
final class __NAME__BuildableMock: __NAME__Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing {
    let view = __NAME__ViewMock()
    return __NAME__Router(
      interactor: __NAME__Interactor(presenter: view), viewController: view)
  }
}
