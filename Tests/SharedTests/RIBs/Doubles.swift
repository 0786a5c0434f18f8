import Shared

/// The calls that were recorded, in order.
final class CallLog {
  private(set) var entries: [String] = []

  func record(_ entry: String) { entries.append(entry) }

  /// Returns the entries so far and forgets them.
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}

/// An interactor that records its life cycle. A test can give it more to do.
final class RecordingInteractor: Interactor {
  let name: String
  private let calls: CallLog
  var onBecomeActive: () -> Void = {}
  var onResignActive: () -> Void = {}

  init(_ name: String = "it", _ calls: CallLog = CallLog()) {
    self.name = name
    self.calls = calls
  }

  override func didBecomeActive() {
    calls.record("\(name) up \(isActive)")
    onBecomeActive()
  }

  override func willResignActive() {
    calls.record("\(name) down \(isActive)")
    onResignActive()
  }
}

/// A router that records its loading, with a `RecordingInteractor` of the same name.
final class RecordingRouter: Router<RecordingInteractor> {
  private let calls: CallLog
  var onLoad: () -> Void = {}

  init(_ name: String = "it", _ calls: CallLog = CallLog()) {
    self.calls = calls
    super.init(interactor: RecordingInteractor(name, calls))
  }

  override func didLoad() {
    calls.record("\(interactor.name) loaded")
    onLoad()
  }
}

/// A double of an interactor, as the tutorials write them: not an `Interactor`.
final class InteractableMock: Interactable {
  private let activeness = CurrentValue(false)
  private(set) var activateCallCount = 0
  private(set) var deactivateCallCount = 0

  var isActive: Bool { activeness.value }
  var isActiveStream: Stream<Bool> { activeness.stream }

  func activate() {
    activateCallCount += 1
    activeness.send(true)
  }

  func deactivate() {
    deactivateCallCount += 1
    activeness.send(false)
  }
}

/// A double of a router: not a `Router`.
final class RoutingMock: Routing {
  let interactable: any Interactable = InteractableMock()
  let lifecycle: Stream<RouterLifecycle> = EventSource().stream
  private(set) var children: [any Routing] = []
  private(set) var loadCallCount = 0

  func load() { loadCallCount += 1 }
  func attachChild(_ child: any Routing) { children.append(child) }
  func detachChild(_ child: any Routing) { children.removeAll { $0 === child } }
}

/// A view that shows nothing.
final class ViewMock: ViewControllable {}

final class ViewfulPresenter: Presenter<ViewMock> {}

final class ViewfulInteractor: PresentableInteractor<ViewfulPresenter> {}

/// The router of a RIB with an interactor, a presenter and a view.
final class ViewfulRouter: ViewableRouter<ViewfulInteractor, ViewMock> {
  init() {
    let view = ViewMock()
    super.init(
      interactor: ViewfulInteractor(presenter: ViewfulPresenter(viewController: view)),
      viewController: view)
  }
}

/// A workflow that records how it ends.
final class RecordingWorkflow: Workflow<String> {
  private let calls: CallLog

  init(_ calls: CallLog) { self.calls = calls }

  override func didComplete() { calls.record("complete") }
  override func didFork() { calls.record("fork") }
  override func didReceiveError(_ error: any Error) { calls.record("error") }

  /// A first step that records its name.
  func recording(_ name: String) -> Step<String, Void, Void> {
    onStep { [calls] _ in
      calls.record(name)
      return .step((), ())
    }
  }
}

struct WorkflowFailure: Error {}

/// A clock that the test advances.
final class ManualClock {
  private var now = Duration.zero
  private var timers: [(id: Int, due: Duration, action: () -> Void)] = []
  private var lastID = 0

  var isIdle: Bool { timers.isEmpty }

  /// Returns a closure that cancels the call.
  func schedule(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
    lastID += 1
    timers.append((lastID, now + delay, action))
    return { [weak self, id = lastID] in self?.timers.removeAll { $0.id == id } }
  }

  func advance(by duration: Duration) {
    now += duration
    let due = timers.filter { $0.due <= now }
    timers.removeAll { $0.due <= now }
    for timer in due { timer.action() }
  }
}
