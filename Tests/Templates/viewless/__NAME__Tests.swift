import RIBs
import Testing

@testable import __PROGRAM__

@Suite struct __NAME__Tests {
  private let listener = __NAME__ListenerMock()

  @Test func `the parent learns that nothing is left to do`() throws {
    let router = build()
    let interactor = try #require(router.interactable as? any __NAME__Interactable)
    interactor.activate()
    #expect(listener.finishCount == 0)
    interactor.finish()
    #expect(listener.finishCount == 1)
  }

  @Test func `the children are detached when the RIB is deactivated`() {
    let router = build()
    router.interactable.activate()
    router.attachChild(Router<any Interactable>(interactor: Interactor()))
    #expect(router.children.count == 1)
    router.interactable.deactivate()
    #expect(router.children.isEmpty)
  }

  @Test func `a released RIB is deallocated`() {
    weak var interactor: AnyObject?
    do {
      let router = build()
      router.interactable.activate()
      interactor = router.interactable
      #expect(interactor != nil)
    }
    #expect(interactor == nil)
  }

  private func build() -> any __NAME__Routing {
    __NAME__Builder(dependency: __NAME__DependencyMock()).build(withListener: listener)
  }
}

private final class __NAME__DependencyMock: __NAME__Dependency {}

private final class __NAME__ListenerMock: __NAME__Listener {
  private(set) var finishCount = 0

  func __name__DidFinish() { finishCount += 1 }
}

/// For the tests of __PARENT__'s router.
final class __NAME__BuildableMock: __NAME__Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing {
    __NAME__Router(interactor: __NAME__Interactor())
  }
}
