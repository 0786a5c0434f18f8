import Shared
import Testing

/// The RIBs classes that have to do with views.
@Suite struct ViewTests {
  private let journal = Journal()

  @Test func `a presenter has its view, an interactor its presenter`() {
    let view = ViewMock()
    let presenter = Presenter(viewController: view)
    let interactor = PresentableInteractor<any Presentable>(presenter: presenter)
    #expect(interactor.presenter === presenter)
    #expect(presenter.viewController === view)
  }

  @Test func `an interactor keeps its presenter, a router its view`() {
    weak var gone: ViewMock?
    do {
      let view = ViewMock()
      gone = view
      let router = ViewableRouter(interactor: Interactor(), viewController: view)
      #expect(router.viewController === view)
      #expect(router.viewControllable === view)
    }
    #expect(gone == nil)
  }

  @Test func `a router over what is no view is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = ViewableRouter(interactor: Interactor(), viewController: "a string")
    }
  }

  @Test func `to launch shows the view, then activates, then loads`() {
    let router = RootRouter(journal)
    let window = NotingWindow(journal)
    router.launch(from: window)
    #expect(window.root === router.viewControllable)
    #expect(journal.take() == ["show", "root up true", "loaded"])
  }

  @Test func `every object of a RIB with a view is freed after it was detached`() {
    let parent = NotingRouter()
    weak var router: RootRouter?
    weak var interactor: NotingInteractor?
    weak var view: ViewMock?
    do {
      let child = RootRouter(journal)
      (router, interactor, view) = (child, child.interactor, child.viewController)
      parent.attachChild(child)
      parent.detachChild(child)
    }
    #expect(router == nil)
    #expect(interactor == nil)
    #expect(view == nil)
  }
}

private final class RootRouter: LaunchRouter<NotingInteractor, ViewMock> {
  private let journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
    super.init(interactor: NotingInteractor("root", journal), viewController: ViewMock())
  }

  override func didLoad() { journal.note("loaded") }
}

private final class NotingWindow: Window {
  private(set) var root: (any ViewControllable)?
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  func show(_ root: any ViewControllable) {
    self.root = root
    journal.note("show")
  }
}
