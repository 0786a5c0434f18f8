/// What happens in the life of a router.
public enum RouterLifecycle: Sendable {
  case didLoad
}

/// The life of a router, for those who only need to know that.
public protocol RouterScope: AnyObject {
  /// Delivers what happens from now on.
  var lifecycle: Stream<RouterLifecycle> { get }
}

/// A router as its parent and its interactor see it.
public protocol Routing: RouterScope {
  var interactable: any Interactable { get }
  /// In the order of attachment.
  var children: [any Routing] { get }
  /// Called by the parent at each attachment, after the interactor has become active; loads at the
  /// first.
  func load()
  /// Takes a child in: appends it, activates its interactor, loads it, unless it was detached
  /// meanwhile. To attach a child that is attached already is a programmer error.
  func attachChild(_ child: any Routing)
  /// Deactivates a child and its subtree, the child before its own children, and lets it go.
  /// Nothing happens where it is no child of this one.
  func detachChild(_ child: any Routing)
}

/// What all routers share, whatever the type of their interactor. Subclass `Router` instead.
open class RouterNode: Routing {
  public final let interactable: any Interactable
  private final var childList: ChildList?
  private final var extras: Extras?
  private final var hasLoaded = false
  private final var isSubtreeActive = false
  /// The index in the parent's list; negative where there is no parent.
  private final var storedPosition: Int32 = -1

  /// Only there once it is needed, so that most routers do without.
  private final class Extras {
    var lifecycle: EventSource<RouterLifecycle>?
    var leakDetector: LeakDetector?
    /// The expectation that a detached router goes, unless it is attached again.
    var deallocation: (any Cancellable)?
    /// The subscription to an interactable that is no `Interactor`.
    var activation: (any Cancellable)?
  }

  init(interactable: any Interactable) {
    self.interactable = interactable
    guard let interactor = interactable as? Interactor else { return }
    precondition(interactor.node == nil, "An interactor has one router.")
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

  /// Called once, after the interactor has become active for the first time: attach here the
  /// children that are always there.
  open func didLoad() {}

  public final func attachChild(_ child: any Routing) {
    let list = childList ?? ChildList()
    childList = list
    list.append(child)
    if let node = child as? RouterNode {
      node.extras?.deallocation?.cancel()
      if let leakDetector { node.detectLeaks(with: leakDetector) }
    }
    child.interactable.activate()
    // A game can be over, and detached, as soon as it is active.
    if list.contains(child) { child.load() }
  }

  public final func detachChild(_ child: any Routing) {
    guard let childList, childList.contains(child) else { return }
    child.interactable.deactivate()
    // What it did when it resigned may have detached it already.
    guard childList.remove(child), let leakDetector, let node = child as? RouterNode else { return }
    node.needExtras().deallocation = leakDetector.expectDeallocate(object: node)
  }

  /// Has the objects of this RIB and of all below it watched: what does not go after its RIB was
  /// detached is reported. Called for the root; a parent hands the detector to each child that it
  /// attaches.
  public final func detectLeaks(with leakDetector: LeakDetector) {
    needExtras().leakDetector = leakDetector
    for child in children { (child as? RouterNode)?.detectLeaks(with: leakDetector) }
  }

  final var position: Int? {
    get { storedPosition < 0 ? nil : Int(storedPosition) }
    set { storedPosition = newValue.map(Int32.init) ?? -1 }
  }

  final var isAttached: Bool { storedPosition >= 0 }

  /// Called when the interactor has become active or inactive: the children follow it.
  final func setSubtreeActive(_ isActive: Bool) {
    isSubtreeActive = isActive
    guard let slots = childList?.slots else { return }
    for position in 0..<slots.slotCount {
      guard let child = slots[position] else { continue }
      // Each child's doings may detach others, or this router.
      guard isSubtreeActive == isActive, let childList, childList.contains(child) else { continue }
      if isActive { child.interactable.activate() } else { child.interactable.deactivate() }
    }
  }

  /// What has to go together with this router, for the leak detector.
  var ownedObjects: [AnyObject] {
    guard let owner = interactable as? any PresenterOwner else { return [interactable] }
    return [interactable, owner.presenterObject]
  }

  private var leakDetector: LeakDetector? { extras?.leakDetector }

  /// An `Interactor` calls its router directly; another `Interactable`, such as a test's double,
  /// is listened to.
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
/// When the interactor becomes active or inactive, the children follow it; when the router goes,
/// its interactor and all below are deactivated and its children detached.
open class Router<InteractorType>: RouterNode {
  public final let interactor: InteractorType

  /// The interactor has to be an `Interactable`.
  public init(interactor: InteractorType) {
    self.interactor = interactor
    // Nearly always; to look for a conformance costs ten times as much as to look for a class.
    let base: any Interactable
    if let interactor = interactor as? Interactor {
      base = interactor
    } else if let interactable = interactor as? any Interactable {
      base = interactable
    } else {
      preconditionFailure("\(InteractorType.self) has to conform to Interactable.")
    }
    super.init(interactable: base)
  }
}
