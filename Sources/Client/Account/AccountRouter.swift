import RIBs
import Shared

/// The interactor, as its router sees it.
protocol AccountInteractable: Interactable {
  var listener: (any AccountListener)? { get set }
}

typealias AccountViewControllable = FormViewControllable

/// Account, as OffGame sees it.
protocol AccountRouting: ViewableRouting {}

final class AccountRouter:
  ViewableRouter<any AccountInteractable, any AccountViewControllable>, AccountRouting
{}
