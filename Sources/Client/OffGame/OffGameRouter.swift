import Shared

/// What the router needs of its interactor.
protocol OffGameInteractable: Interactable {
  var listener: (any OffGameListener)? { get set }
}

/// OffGame as the root sees it.
protocol OffGameRouting: ViewableRouting {}

final class OffGameRouter:
  ViewableRouter<any OffGameInteractable, any OffGameViewControllable>, OffGameRouting
{}
