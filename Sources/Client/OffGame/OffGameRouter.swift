import Shared

/// What the router needs of its interactor.
protocol OffGameInteractable: Interactable, OffGameActionableItem {
  var listener: (any OffGameListener)? { get set }
}

/// OffGame's view.
protocol OffGameViewControllable: ViewControllable, OffGamePresentable {}

/// OffGame as the root sees it.
protocol OffGameRouting: ViewableRouting {
  var actionableItem: any OffGameActionableItem { get }
}

final class OffGameRouter:
  ViewableRouter<any OffGameInteractable, any OffGameViewControllable>, OffGameRouting
{
  var actionableItem: any OffGameActionableItem { interactor }
}
