/// What an interactor shows things with. Each viewful RIB refines this with the calls that it makes.
public protocol Presentable: AnyObject {}

/// The base class of presenters that stand between an interactor and its view.
open class Presenter<ViewControllerType>: Presentable {
  public let viewController: ViewControllerType

  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}

/// The base class of interactors that have a presenter: a RIB's view, or a class of its own that
/// feeds the view.
open class PresentableInteractor<PresenterType>: Interactor, PresenterOwner {
  public let presenter: PresenterType

  public init(presenter: PresenterType) {
    self.presenter = presenter
  }

  final var presenterObject: AnyObject { presenter as AnyObject }
}

/// What the leak detector needs to see of an interactor.
protocol PresenterOwner: AnyObject {
  var presenterObject: AnyObject { get }
}
