/// Whether an interactor is active. Workers, streams and workflows need to know nothing else about
/// it.
public protocol InteractorScope: AnyObject {
  var isActive: Bool { get }
  /// Delivers `isActive` on subscribe and at each change.
  var isActiveStream: Stream<Bool> { get }
}

/// An interactor as its router sees it.
public protocol Interactable: InteractorScope {
  /// Activates the interactor. Does nothing if it is active already.
  func activate()
  /// Deactivates the interactor. Does nothing if it is inactive already.
  func deactivate()
}

/// The base class of interactors: the logic of a RIB, active from attachment to detachment.
open class Interactor: Interactable {
  private enum State {
    case inactive, waking, active, resigning
  }

  private final var state = State.inactive
  /// The router, which owns this interactor and clears this before it is freed. `unowned`, because
  /// a weak reference would cost each router a side table.
  final unowned var node: RouterNode?
  /// Allocated when first needed. Most interactors never need it.
  private final var extras: Extras?

  private final class Extras {
    var activation: CurrentValue<Bool>?
    var untilDeactivated: CompositeCancellable?
  }

  public init() {}

  deinit {
    deactivate()
  }

  public final var isActive: Bool { state != .inactive }

  public final var isActiveStream: Stream<Bool> {
    let extras = needExtras()
    let activation = extras.activation ?? CurrentValue(isActive)
    extras.activation = activation
    return activation.stream
  }

  public final func activate() {
    guard state == .inactive else { return }
    state = .waking
    extras?.activation?.send(true)
    // A subscriber may have deactivated it.
    guard state == .waking else { return }
    state = .active
    didBecomeActive()
    if state == .active { node?.setSubtreeActive(true) }
  }

  public final func deactivate() {
    switch state {
    case .inactive, .resigning:
      return
    case .waking:
      // `didBecomeActive` was not called, so neither is its counterpart.
      state = .resigning
    case .active:
      state = .resigning
      willResignActive()
    }
    let bound = extras?.untilDeactivated
    extras?.untilDeactivated = nil
    bound?.cancel()
    state = .inactive
    extras?.activation?.send(false)
    // A subscriber may have activated it again.
    if state == .inactive { node?.setSubtreeActive(false) }
  }

  /// Called after the interactor has become active. Override it to start the RIB's work.
  open func didBecomeActive() {}

  /// Called while the interactor is still active. Override it to stop what `didBecomeActive`
  /// started.
  open func willResignActive() {}

  /// Cancels the token when the interactor resigns, or at once if it is inactive.
  fileprivate final func cancelOnDeactivate(_ token: any Cancellable) {
    guard state == .waking || state == .active else { return token.cancel() }
    let extras = needExtras()
    let bound = extras.untilDeactivated ?? CompositeCancellable()
    extras.untilDeactivated = bound
    bound.insert(token)
  }

  private func needExtras() -> Extras {
    let extras = self.extras ?? Extras()
    self.extras = extras
    return extras
  }
}

extension Cancellable {
  /// Cancels this when the interactor resigns, or at once if it is inactive.
  @discardableResult
  public func disposeOnDeactivate(interactor: Interactor) -> Self {
    interactor.cancelOnDeactivate(self)
    return self
  }
}
