/// A view, as routers see it. On the client it draws on the terminal; on the server it writes to
/// the network. The name comes from RIBs-iOS.
public protocol ViewControllable: AnyObject {}

/// A router of a RIB with a view.
public protocol ViewableRouting: Routing {
  var viewControllable: any ViewControllable { get }
}

/// The base class of routers of RIBs with a view, which the router also owns.
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>,
  ViewableRouting
{
  public final let viewController: ViewControllerType

  /// `viewController` must conform to `ViewControllable`.
  @inlinable
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    assert(viewController is any ViewControllable, "The view must conform to ViewControllable.")
    self.viewController = viewController
    super.init(interactor: interactor)
  }

  public final var viewControllable: any ViewControllable {
    guard let viewControllable = viewController as? any ViewControllable else {
      preconditionFailure("\(ViewControllerType.self) must conform to ViewControllable.")
    }
    return viewControllable
  }

  /// The view is often also the presenter. It is listed once.
  override final var ownedObjects: [AnyObject] {
    let others = super.ownedObjects
    return others.contains { $0 === viewControllable } ? others : others + [viewControllable]
  }
}

/// Shows the view of a root RIB.
public protocol Window: AnyObject {
  func show(_ root: any ViewControllable)
}

/// A router at the root of an application.
public protocol LaunchRouting: ViewableRouting {
  /// Shows the root's view, then activates and loads the root.
  func launch(from window: any Window)
}

/// The base class of the router at the root of an application with a window.
open class LaunchRouter<InteractorType, ViewControllerType>:
  ViewableRouter<InteractorType, ViewControllerType>, LaunchRouting
{
  public final func launch(from window: any Window) {
    window.show(viewControllable)
    interactable.activate()
    load()
  }
}
