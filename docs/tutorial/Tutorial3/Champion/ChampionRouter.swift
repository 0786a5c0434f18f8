import RIBs

/// The interactor, as its router sees it.
protocol ChampionInteractable: Interactable {
  var listener: (any ChampionListener)? { get set }
}

protocol ChampionViewControllable: ViewControllable, ChampionPresentable {}

final class ChampionRouter:
  ViewableRouter<any ChampionInteractable, any ChampionViewControllable>
{}
