import Shared

/// The interactor, as its router sees it.
protocol OffGameInteractable: Interactable, OffGameActionableItem {
  var listener: (any OffGameListener)? { get set }
}

/// The view of OffGame.
protocol OffGameViewControllable: ViewControllable, OffGamePresentable {}

/// OffGame, as the root sees it.
protocol OffGameRouting: ViewableRouting {
  var actionableItem: any OffGameActionableItem { get }
}

final class OffGameRouter:
  ViewableRouter<any OffGameInteractable, any OffGameViewControllable>, OffGameRouting
{
  var actionableItem: any OffGameActionableItem { interactor }
}
