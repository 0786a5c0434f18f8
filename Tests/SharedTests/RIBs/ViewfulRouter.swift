import Shared

final class ViewfulPresenter: Presenter<ViewMock> {}

final class ViewfulInteractor: PresentableInteractor<ViewfulPresenter> {}

/// The router of a RIB with an interactor, a presenter and a view.
final class ViewfulRouter: ViewableRouter<ViewfulInteractor, ViewMock> {
  init() {
    let view = ViewMock()
    super.init(
      interactor: ViewfulInteractor(presenter: ViewfulPresenter(viewController: view)),
      viewController: view)
  }
}
