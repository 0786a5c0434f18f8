import RIBs
import Testing

/// The classes of RIBs with a view.
@Suite struct ViewTests {
  private let calls = CallLog()

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

  @Test func `a router for an object that is not a view is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = ViewableRouter(interactor: Interactor(), viewController: "a string")
    }
  }

  @Test func `launching shows the view, then activates, then loads`() {
    let router = RootRouter(calls)
    let window = RecordingWindow(calls)
    router.launch(from: window)
    #expect(window.root === router.viewControllable)
    #expect(calls.take() == ["show", "root up true", "loaded"])
  }

  @Test func `every object of a RIB with a view is freed after its detachment`() {
    let parent = RecordingRouter()
    weak var router: RootRouter?
    weak var interactor: RecordingInteractor?
    weak var view: ViewMock?
    do {
      let child = RootRouter(calls)
      (router, interactor, view) = (child, child.interactor, child.viewController)
      parent.attachChild(child)
      parent.detachChild(child)
    }
    #expect(router == nil)
    #expect(interactor == nil)
    #expect(view == nil)
  }
}

private final class RootRouter: LaunchRouter<RecordingInteractor, ViewMock> {
  private let calls: CallLog

  init(_ calls: CallLog) {
    self.calls = calls
    super.init(interactor: RecordingInteractor("root", calls), viewController: ViewMock())
  }

  override func didLoad() { calls.record("loaded") }
}

private final class RecordingWindow: Window {
  private(set) var root: (any ViewControllable)?
  private let calls: CallLog

  init(_ calls: CallLog) { self.calls = calls }

  func show(_ root: any ViewControllable) {
    self.root = root
    calls.record("show")
  }
}
