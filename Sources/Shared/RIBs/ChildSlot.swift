/// A view that shows the view of a child instead of, or in, its own content.
public protocol ViewContaining: ViewControllable {
  func show(_ view: any ViewControllable)
  func hide(_ view: any ViewControllable)
}

/// The place of one child of a router, whose view is shown in the router's own. A new child takes
/// the place of the one before.
public final class ChildSlot {
  public private(set) var child: (any ViewableRouting)?
  private unowned let router: any Routing
  private let view: any ViewContaining

  /// `view` is that of the router, which holds the slot.
  public init(of router: any Routing, in view: any ViewContaining) {
    self.router = router
    self.view = view
  }

  /// Shows and attaches a new child, after the one before was detached.
  public func route(to new: any ViewableRouting) {
    clear()
    child = new
    view.show(new.viewControllable)
    router.attachChild(new)
  }

  /// Hides and detaches the child, if there is one.
  public func clear() {
    guard let old = child else { return }
    child = nil
    view.hide(old.viewControllable)
    router.detachChild(old)
  }
}
