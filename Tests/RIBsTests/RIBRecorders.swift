import RIBs

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

struct WorkflowError: Error {}
