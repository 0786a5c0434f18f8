/// The base class of routers of RIBs with a view: owns the view as well.
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>,
  ViewableRouting
{
  public final let viewController: ViewControllerType

  /// The view has to be a `ViewControllable`.
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    assert(viewController is any ViewControllable, "The view has to be a ViewControllable.")
    self.viewController = viewController
    super.init(interactor: interactor)
  }

  public final var viewControllable: any ViewControllable {
    guard let viewControllable = viewController as? any ViewControllable else {
      preconditionFailure("\(ViewControllerType.self) has to conform to ViewControllable.")
    }
    return viewControllable
  }

  /// The view is often the presenter too; it is named once.
  override final var belongings: [AnyObject] {
    let others = super.belongings
    return others.contains { $0 === viewControllable } ? others : others + [viewControllable]
  }
}
