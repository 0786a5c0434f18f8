/// What an interactor shows things with. Each viewful RIB refines this with the calls that it makes.
public protocol Presentable: AnyObject {}

/// The base class of presenters that stand between an interactor and its view.
open class Presenter<ViewControllerType>: Presentable {
  public let viewController: ViewControllerType

  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}
