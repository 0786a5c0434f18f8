/// Whether an interactor is active, for those who only need to know that: workers, streams,
/// workflows.
public protocol InteractorScope: AnyObject {
  var isActive: Bool { get }
  /// Delivers `isActive` on subscribe and at each change.
  var isActiveStream: Stream<Bool> { get }
}

/// An interactor as its router sees it.
public protocol Interactable: InteractorScope {
  /// Makes it active; where it is already, nothing happens.
  func activate()
  /// Makes it inactive; where it is already, nothing happens.
  func deactivate()
}

/// The base class of interactors: the logic of a RIB, active from attachment to detachment.
open class Interactor: Interactable {
  private enum State {
    case inactive, waking, active, resigning
  }

  private final var state = State.inactive
  /// The router, which owns this interactor and takes itself out before it goes; so it need not be
  /// weak, which would cost the router a side table.
  final unowned var node: RouterNode?
  /// Only there once it is needed, so that most interactors do without.
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
    // Who listens may have deactivated it.
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
    // Who listens may have activated it.
    if state == .inactive { node?.setSubtreeActive(false) }
  }

  /// Called after the interactor has become active: start here what it does.
  open func didBecomeActive() {}

  /// Called while the interactor is still active: stop here what `didBecomeActive` started.
  open func willResignActive() {}

  /// Cancels the token when the interactor resigns; at once where it is inactive.
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
  /// Cancels this when the interactor resigns active; at once where it is inactive.
  @discardableResult
  public func disposeOnDeactivate(interactor: Interactor) -> Self {
    interactor.cancelOnDeactivate(self)
    return self
  }
}
