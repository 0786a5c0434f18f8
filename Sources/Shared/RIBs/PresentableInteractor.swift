/// The view or the presenter, as its interactor sees it. Each RIB with a view refines this with the
/// calls that its interactor makes.
public protocol Presentable: AnyObject {}

/// The base class of presenters that stand between an interactor and its view.
open class Presenter<ViewControllerType>: Presentable {
  public let viewController: ViewControllerType

  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}

/// The base class of interactors with a presenter. The presenter is the RIB's view itself, or a
/// class between the interactor and the view.
open class PresentableInteractor<PresenterType>: Interactor, PresenterOwner {
  public let presenter: PresenterType

  @inlinable
  public init(presenter: PresenterType) {
    self.presenter = presenter
  }

  final var presenterObject: AnyObject { presenter as AnyObject }
}

/// Gives the leak detector access to an interactor's presenter.
protocol PresenterOwner: AnyObject {
  var presenterObject: AnyObject { get }
}
