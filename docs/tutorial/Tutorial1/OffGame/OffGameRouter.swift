import RIBs

/// The interactor, as its router sees it.
protocol OffGameInteractable: Interactable {
  var listener: (any OffGameListener)? { get set }
}

protocol OffGameViewControllable: ViewControllable, OffGamePresentable {}

final class OffGameRouter: ViewableRouter<any OffGameInteractable, any OffGameViewControllable> {}
