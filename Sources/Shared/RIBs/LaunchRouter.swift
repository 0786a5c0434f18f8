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
