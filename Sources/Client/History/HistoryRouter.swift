import RIBs
import Shared

/// The interactor, as its router sees it.
protocol HistoryInteractable: Interactable {
  var listener: (any HistoryListener)? { get set }
}

protocol HistoryViewControllable: ViewControllable, HistoryPresentable {}

/// History, as OffGame sees it.
protocol HistoryRouting: ViewableRouting {}

final class HistoryRouter:
  ViewableRouter<any HistoryInteractable, any HistoryViewControllable>, HistoryRouting
{}
