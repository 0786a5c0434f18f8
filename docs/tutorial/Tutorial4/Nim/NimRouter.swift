import RIBs

/// The interactor, as its router sees it.
protocol NimInteractable: Interactable {
  var listener: (any GameListener)? { get set }
}

protocol NimViewControllable: ViewControllable, NimPresentable {}

final class NimRouter: ViewableRouter<any NimInteractable, any NimViewControllable> {}
