/// What all routers share, whatever the type of their interactor. Subclass `Router` instead.
open class RouterNode: Routing {
  public final let interactable: any Interactable
  private final var childList: ChildList?
  private final var extras: Extras?
  private final var hasLoaded = false
  /// The index in the parent's list; negative where there is no parent.
  private final var storedPosition: Int32 = -1

  /// Only there once it is needed, so that most routers do without.
  private final class Extras {
    var lifecycle: EventSource<RouterLifecycle>?
    var leakDetector: LeakDetector?
    /// The expectation that a detached router goes, unless it is attached again.
    var departure: (any Cancellable)?
    /// The subscription to an interactable that is no `Interactor`.
    var activeness: (any Cancellable)?
  }

  init(interactable: any Interactable) {
    self.interactable = interactable
    (interactable as? Interactor)?.node = self
  }

  deinit {
    extras?.activeness?.cancel()
    (interactable as? Interactor)?.node = nil
    interactable.deactivate()
    for child in children {
      (child as? RouterNode)?.position = nil
      child.interactable.deactivate()
    }
    if let leakDetector { expectEnd(by: leakDetector) }
  }

  public final var children: [any Routing] { childList?.routers ?? [] }

  public final var lifecycle: Stream<RouterLifecycle> {
    let extras = needExtras()
    let lifecycle = extras.lifecycle ?? EventSource()
    extras.lifecycle = lifecycle
    return lifecycle.stream
  }

  public final func load() {
    guard !hasLoaded else { return }
    hasLoaded = true
    bindForeignInteractable()
    extras?.lifecycle?.send(.didLoad)
    didLoad()
  }

  /// Called once, after the interactor has become active for the first time: attach here the
  /// children that are always there.
  open func didLoad() {}

  public final func attachChild(_ child: any Routing) {
    let list = childList ?? ChildList()
    childList = list
    list.append(child)
    if let node = child as? RouterNode, let leakDetector {
      node.extras?.departure?.cancel()
      node.leakDetector = leakDetector
    }
    child.interactable.activate()
    child.load()
  }

  public final func detachChild(_ child: any Routing) {
    guard let childList, childList.contains(child) else { return }
    child.interactable.deactivate()
    childList.remove(child)
    if let leakDetector {
      (child as? RouterNode)?.extras?.departure = leakDetector.expectDeallocate(object: child)
    }
  }

  /// The tree's leak detector, if it has one; a parent hands it to each child that it attaches.
  final var leakDetector: LeakDetector? {
    get { extras?.leakDetector }
    set {
      if newValue != nil || extras != nil { needExtras().leakDetector = newValue }
      for child in children { (child as? RouterNode)?.leakDetector = newValue }
    }
  }

  final var position: Int? {
    get { storedPosition < 0 ? nil : Int(storedPosition) }
    set { storedPosition = newValue.map(Int32.init) ?? -1 }
  }

  final var isAttached: Bool { storedPosition >= 0 }

  final func interactorDidBecomeActive() {
    for child in children { child.interactable.activate() }
  }

  final func interactorDidResignActive() {
    for child in children { child.interactable.deactivate() }
  }

  /// Says to the detector what has to go together with this router.
  func expectEnd(by leakDetector: LeakDetector) {
    leakDetector.expectDeallocate(object: interactable)
    if let owner = interactable as? any PresenterOwner {
      leakDetector.expectDeallocate(object: owner.presenterObject)
    }
  }

  /// An `Interactor` calls its router directly; another `Interactable`, such as a test's double,
  /// is listened to.
  private func bindForeignInteractable() {
    guard !(interactable is Interactor) else { return }
    var isFirst = true
    needExtras().activeness = interactable.isActiveStream.subscribe { [weak self] isActive in
      defer { isFirst = false }
      guard !isFirst else { return }
      if isActive {
        self?.interactorDidBecomeActive()
      } else {
        self?.interactorDidResignActive()
      }
    }
  }

  private func needExtras() -> Extras {
    let extras = self.extras ?? Extras()
    self.extras = extras
    return extras
  }
}

/// The base class of routers: owns a RIB's interactor and its children.
///
/// When the interactor becomes active or inactive, the children follow it; when the router goes,
/// its interactor and all below are deactivated.
open class Router<InteractorType>: RouterNode {
  public final let interactor: InteractorType

  /// The interactor has to be an `Interactable`.
  public init(interactor: InteractorType) {
    guard let interactable = interactor as? any Interactable else {
      preconditionFailure("\(InteractorType.self) has to conform to Interactable.")
    }
    self.interactor = interactor
    super.init(interactable: interactable)
  }
}
