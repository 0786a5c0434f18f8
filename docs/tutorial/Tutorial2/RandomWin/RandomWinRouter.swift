import RIBs

/// The interactor, as its router sees it.
protocol RandomWinInteractable: Interactable {
  var listener: (any GameListener)? { get set }
}

protocol RandomWinViewControllable: ViewControllable, RandomWinPresentable {}

final class RandomWinRouter:
  ViewableRouter<any RandomWinInteractable, any RandomWinViewControllable>
{}
