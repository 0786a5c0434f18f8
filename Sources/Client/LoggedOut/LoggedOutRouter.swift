import RIBs
import Shared

/// The interactor, as its router sees it.
protocol LoggedOutInteractable: Interactable {
  var listener: (any LoggedOutListener)? { get set }
}

typealias LoggedOutViewControllable = FormViewControllable

/// LoggedOut, as the root sees it.
protocol LoggedOutRouting: ViewableRouting {}

final class LoggedOutRouter:
  ViewableRouter<any LoggedOutInteractable, any LoggedOutViewControllable>, LoggedOutRouting
{}
