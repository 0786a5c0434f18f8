import RIBs

/// Champion's dependencies, provided by LoggedIn.
protocol ChampionDependency: Dependency {
  var console: Console { get }
  var players: Players { get }
}

protocol ChampionBuildable: Buildable {
  func build(
    withListener listener: any ChampionListener, champion: Mark
  ) -> any ViewableRouting
}

final class ChampionBuilder: Builder<any ChampionDependency>, ChampionBuildable {
  func build(
    withListener listener: any ChampionListener, champion: Mark
  ) -> any ViewableRouting {
    let view = ChampionView(console: dependency.console)
    let interactor = ChampionInteractor(presenter: view, name: dependency.players[champion])
    interactor.listener = listener
    return ChampionRouter(interactor: interactor, viewController: view)
  }
}
