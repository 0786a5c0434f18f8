import Shared

/// What the router needs of its interactor.
protocol LoggedOutInteractable: Interactable {
  var listener: (any LoggedOutListener)? { get set }
}

/// The form's view.
protocol LoggedOutViewControllable: ViewControllable, LoggedOutPresentable {}

/// The form as the root sees it.
protocol LoggedOutRouting: ViewableRouting {}

final class LoggedOutRouter:
  ViewableRouter<any LoggedOutInteractable, any LoggedOutViewControllable>, LoggedOutRouting
{}
