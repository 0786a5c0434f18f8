import Shared

/// What happened, in order.
final class Journal {
  private(set) var entries: [String] = []

  func note(_ entry: String) { entries.append(entry) }

  /// The entries so far, which are then forgotten.
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}

/// An interactor that notes its life; what else it does, the test says.
final class NotingInteractor: Interactor {
  let name: String
  private let journal: Journal
  var onBecomeActive: () -> Void = {}
  var onResignActive: () -> Void = {}

  init(_ name: String = "it", _ journal: Journal = Journal()) {
    self.name = name
    self.journal = journal
  }

  override func didBecomeActive() {
    journal.note("\(name) up \(isActive)")
    onBecomeActive()
  }

  override func willResignActive() {
    journal.note("\(name) down \(isActive)")
    onResignActive()
  }
}

/// A router that notes its loading, over a `NotingInteractor` of the same name.
final class NotingRouter: Router<NotingInteractor> {
  private let journal: Journal
  var onLoad: () -> Void = {}

  init(_ name: String = "it", _ journal: Journal = Journal()) {
    self.journal = journal
    super.init(interactor: NotingInteractor(name, journal))
  }

  override func didLoad() {
    journal.note("\(interactor.name) loaded")
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

/// A workflow that notes what it comes to.
final class NotingWorkflow: Workflow<String> {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  override func didComplete() { journal.note("complete") }
  override func didFork() { journal.note("fork") }
  override func didReceiveError(_ error: any Error) { journal.note("error") }

  /// A first step that notes its name.
  func noting(_ name: String) -> Step<String, Void, Void> {
    onStep { [journal] _ in
      journal.note(name)
      return .step((), ())
    }
  }
}

struct WorkflowFailure: Error {}

/// A clock that the test turns.
final class TurnedClock {
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
