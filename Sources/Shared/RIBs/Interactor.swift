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
  private enum Life {
    case inactive, waking, active, resigning
  }

  private final var life = Life.inactive
  /// The router, which owns this interactor and takes itself out before it goes; so it need not be
  /// weak, which would cost the router a side table.
  final unowned var node: RouterNode?
  /// Only there once it is needed, so that most interactors do without.
  private final var extras: Extras?

  private final class Extras {
    var activeness: CurrentValue<Bool>?
    var untilDeactivated: CompositeCancellable?
  }

  public init() {}

  deinit {
    deactivate()
  }

  public final var isActive: Bool { life != .inactive }

  public final var isActiveStream: Stream<Bool> {
    let extras = needExtras()
    let activeness = extras.activeness ?? CurrentValue(isActive)
    extras.activeness = activeness
    return activeness.stream
  }

  public final func activate() {
    guard life == .inactive else { return }
    life = .waking
    extras?.activeness?.send(true)
    // Who listens may have deactivated it.
    guard life == .waking else { return }
    life = .active
    didBecomeActive()
    if life == .active { node?.setSubtreeActive(true) }
  }

  public final func deactivate() {
    switch life {
    case .inactive, .resigning:
      return
    case .waking:
      // `didBecomeActive` was not called, so neither is its counterpart.
      life = .resigning
    case .active:
      life = .resigning
      willResignActive()
    }
    let bound = extras?.untilDeactivated
    extras?.untilDeactivated = nil
    bound?.cancel()
    life = .inactive
    extras?.activeness?.send(false)
    // Who listens may have activated it.
    if life == .inactive { node?.setSubtreeActive(false) }
  }

  /// Called after the interactor has become active: start here what it does.
  open func didBecomeActive() {}

  /// Called while the interactor is still active: stop here what `didBecomeActive` started.
  open func willResignActive() {}

  /// Cancels the token when the interactor resigns; at once where it is inactive.
  fileprivate final func cancelOnDeactivate(_ token: any Cancellable) {
    guard life == .waking || life == .active else { return token.cancel() }
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
