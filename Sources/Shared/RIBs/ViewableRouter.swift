/// The base class of routers of RIBs with a view: owns the view as well.
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>,
  ViewableRouting
{
  public final let viewController: ViewControllerType
  public final let viewControllable: any ViewControllable

  /// The view has to be a `ViewControllable`.
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    guard let viewControllable = viewController as? any ViewControllable else {
      preconditionFailure("\(ViewControllerType.self) has to conform to ViewControllable.")
    }
    self.viewController = viewController
    self.viewControllable = viewControllable
    super.init(interactor: interactor)
  }

  /// The view is often the presenter too; it is named once.
  override final var belongings: [AnyObject] {
    let others = super.belongings
    return others.contains { $0 === viewControllable } ? others : others + [viewControllable]
  }
}
