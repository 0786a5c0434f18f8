/// The life-cycle events of a router.
public enum RouterLifecycle: Sendable {
  case didLoad
}

/// The life cycle of a router, for code that needs to know nothing else about it.
public protocol RouterScope: AnyObject {
  /// Delivers each event that happens after the subscription.
  var lifecycle: Stream<RouterLifecycle> { get }
}

/// A router as its parent and its interactor see it.
public protocol Routing: RouterScope {
  var interactable: any Interactable { get }
  /// In the order of attachment.
  var children: [any Routing] { get }
  /// Called by the parent at each attachment, after the interactor has become active. Only the
  /// first call loads the router.
  func load()
  /// Attaches a child: appends it to `children`, activates its interactor and loads it. A child
  /// that is detached during its activation is not loaded. Attaching a router that is attached
  /// already is a programmer error.
  func attachChild(_ child: any Routing)
  /// Detaches a child: deactivates it and then everything below it, and forgets it. Does nothing if
  /// the router is not a child of this one.
  func detachChild(_ child: any Routing)
}

/// The part of `Router` that does not depend on the type of its interactor. Subclass `Router`
/// instead.
open class RouterNode: Routing {
  public final let interactable: any Interactable
  private final var childList: ChildList?
  private final var extras: Extras?
  private final var hasLoaded = false
  private final var isSubtreeActive = false
  /// The index in the parent's child list; negative while there is no parent.
  private final var storedPosition: Int32 = -1

  /// Allocated when first needed. Most routers never need it.
  private final class Extras {
    var lifecycle: EventSource<RouterLifecycle>?
    var leakDetector: LeakDetector?
    /// Expects a detached router to be freed. Cancelled when it is attached again.
    var deallocation: (any Cancellable)?
    /// The subscription to an interactable that is not an `Interactor`.
    var activation: (any Cancellable)?
  }

  @usableFromInline
  init(interactable: any Interactable) {
    self.interactable = interactable
    guard let interactor = interactable as? Interactor else { return }
    precondition(interactor.node == nil, "An interactor can have only one router.")
    interactor.node = self
  }

  deinit {
    extras?.activation?.cancel()
    (interactable as? Interactor)?.node = nil
    interactable.deactivate()
    for child in children { detachChild(child) }
    if let leakDetector {
      for object in ownedObjects { leakDetector.expectDeallocate(object: object) }
    }
  }

  public final var children: [any Routing] { childList?.routers ?? [] }

  /// Returns the first children, up to `count`, without a copy of all of them.
  public final func children(prefix count: Int) -> [any Routing] { childList?.prefix(count) ?? [] }

  public final var lifecycle: Stream<RouterLifecycle> {
    let extras = needExtras()
    let lifecycle = extras.lifecycle ?? EventSource()
    extras.lifecycle = lifecycle
    return lifecycle.stream
  }

  public final func load() {
    guard !hasLoaded else { return }
    hasLoaded = true
    observeForeignInteractable()
    extras?.lifecycle?.send(.didLoad)
    didLoad()
  }

  /// Called once, after the interactor has become active for the first time. Override it to attach
  /// permanent children.
  open func didLoad() {}

  public final func attachChild(_ child: any Routing) {
    let list = childList ?? ChildList()
    childList = list
    let node = child as? RouterNode
    list.append(child, node)
    if let node {
      node.extras?.deallocation?.cancel()
      if let leakDetector { node.detectLeaks(with: leakDetector) }
    }
    child.interactable.activate()
    // A game can end, and be detached, while it is activated.
    if list.contains(child, node) { child.load() }
  }

  public final func detachChild(_ child: any Routing) {
    let node = child as? RouterNode
    guard let childList, childList.contains(child, node) else { return }
    child.interactable.deactivate()
    // Its `willResignActive` may have detached it already.
    guard childList.remove(child, node), let leakDetector, let node else { return }
    node.needExtras().deallocation = leakDetector.expectDeallocate(object: node)
  }

  /// Watches the objects of this RIB and of all RIBs below it: an object that outlives its detached
  /// RIB is reported. Call it for the root; each router passes the detector on to the children that
  /// it attaches.
  public final func detectLeaks(with leakDetector: LeakDetector) {
    needExtras().leakDetector = leakDetector
    for child in children { (child as? RouterNode)?.detectLeaks(with: leakDetector) }
  }

  final var position: Int? {
    get { storedPosition < 0 ? nil : Int(storedPosition) }
    set { storedPosition = newValue.map(Int32.init) ?? -1 }
  }

  final var isAttached: Bool { storedPosition >= 0 }

  /// Called when the interactor has become active or inactive. The children follow it.
  final func setSubtreeActive(_ isActive: Bool) {
    isSubtreeActive = isActive
    guard let slots = childList?.slots else { return }
    for position in 0..<slots.slotCount {
      guard let child = slots[position] else { continue }
      // A child may detach its siblings, or this router, while it is called.
      guard isSubtreeActive == isActive, let childList,
        childList.contains(child, child as? RouterNode)
      else { continue }
      if isActive { child.interactable.activate() } else { child.interactable.deactivate() }
    }
  }

  /// The objects that must be freed together with this router.
  var ownedObjects: [AnyObject] {
    guard let owner = interactable as? any PresenterOwner else { return [interactable] }
    return [interactable, owner.presenterObject]
  }

  private var leakDetector: LeakDetector? { extras?.leakDetector }

  /// Subscribes to an interactable that is not an `Interactor`, such as a test double. An
  /// `Interactor` calls its router directly.
  private func observeForeignInteractable() {
    guard !(interactable is Interactor) else { return }
    needExtras().activation = interactable.isActiveStream.subscribe { [weak self] isActive in
      self?.setSubtreeActive(isActive)
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
/// When the interactor becomes active or inactive, the children follow it. When the router is
/// freed, its interactor and everything below are deactivated, and its children are detached.
open class Router<InteractorType>: RouterNode {
  public final let interactor: InteractorType

  /// `interactor` must conform to `Interactable`.
  @inlinable
  public init(interactor: InteractorType) {
    self.interactor = interactor
    // The usual case first: a check for a conformance costs ten times as much as one for a class.
    let base: any Interactable
    if let interactor = interactor as? Interactor {
      base = interactor
    } else if let interactable = interactor as? any Interactable {
      base = interactable
    } else {
      preconditionFailure("\(InteractorType.self) must conform to Interactable.")
    }
    super.init(interactable: base)
  }
}
