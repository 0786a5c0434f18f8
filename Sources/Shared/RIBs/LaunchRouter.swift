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

extension RouterNode {
  /// Has the objects of all RIBs below this one watched: what does not go after its RIB was
  /// detached is reported. Off unless this is called.
  public func detectLeaks(with leakDetector: LeakDetector) {
    self.leakDetector = leakDetector
  }
}
