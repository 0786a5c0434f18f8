import RIBs

/// The interactor, as its router sees it.
protocol LoggedOutInteractable: Interactable {
  var listener: (any LoggedOutListener)? { get set }
}

protocol LoggedOutViewControllable: ViewControllable, LoggedOutPresentable {}

final class LoggedOutRouter:
  ViewableRouter<any LoggedOutInteractable, any LoggedOutViewControllable>
{}
