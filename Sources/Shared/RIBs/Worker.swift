/// A worker as its owner sees it.
public protocol Working: AnyObject {
  /// Starts the worker: from now on it runs whenever the interactor is active.
  func start(_ interactorScope: any InteractorScope)
  /// Stops the worker until it is started again.
  func stop()
  var isStarted: Bool { get }
  /// Delivers `isStarted` on subscribe and at each change.
  var isStartedStream: Stream<Bool> { get }
}

/// The base class of workers. A worker is a part of an interactor's logic in a class of its own. It
/// runs only while it is started *and* the interactor is active.
open class Worker: Working {
  private let started = CurrentValue(false)
  private var binding: CompositeCancellable?
  private var untilStopped: CompositeCancellable?

  public init() {}

  deinit {
    stop()
  }

  public final var isStarted: Bool { started.value }

  public final var isStartedStream: Stream<Bool> { started.stream }

  public final func start(_ interactorScope: any InteractorScope) {
    guard !isStarted else { return }
    let binding = CompositeCancellable()
    self.binding = binding
    started.send(true)
    binding.insert(
      interactorScope.isActiveStream.subscribe { [weak self, weak interactorScope] isActive in
        // A subscriber of `isStartedStream` may have stopped it, or started it again.
        guard let self, self.binding === binding else { return }
        if isActive, let interactorScope, interactorScope.isActive {
          run(interactorScope)
        } else {
          suspend()
        }
      })
  }

  public final func stop() {
    guard isStarted else { return }
    binding?.cancel()
    binding = nil
    suspend()
    if isStarted { started.send(false) }
  }

  /// Called when the worker begins to run.
  open func didStart(_ interactorScope: any InteractorScope) {}

  /// Called when the worker stops running.
  open func didStop() {}

  private func run(_ scope: any InteractorScope) {
    guard untilStopped == nil else { return }
    untilStopped = CompositeCancellable()
    didStart(scope)
  }

  private func suspend() {
    guard let bound = untilStopped else { return }
    untilStopped = nil
    bound.cancel()
    didStop()
  }

  fileprivate final func cancelOnStop(_ token: any Cancellable) {
    if let untilStopped { untilStopped.insert(token) } else { token.cancel() }
  }
}

extension Cancellable {
  /// Cancels this when the worker stops running, or at once if it is not running.
  @discardableResult
  public func disposeOnStop(_ worker: Worker) -> Self {
    worker.cancelOnStop(self)
    return self
  }
}
