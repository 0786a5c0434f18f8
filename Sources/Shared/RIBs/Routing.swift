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

/// A router of a RIB with a view.
public protocol ViewableRouting: Routing {
  var viewControllable: any ViewControllable { get }
}

/// A router at the root of an application.
public protocol LaunchRouting: ViewableRouting {
  /// Shows the root's view, then activates and loads the root.
  func launch(from window: any Window)
}
