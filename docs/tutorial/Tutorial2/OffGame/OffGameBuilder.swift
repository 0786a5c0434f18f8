import RIBs

/// OffGame's dependencies, provided by LoggedIn.
protocol OffGameDependency: Dependency {
  var console: Console { get }
  var players: Players { get }
  var scoreStream: any ScoreStream { get }
  var gameNames: [String] { get }
}

protocol OffGameBuildable: Buildable {
  func build(withListener listener: any OffGameListener) -> any ViewableRouting
}

final class OffGameBuilder: Builder<any OffGameDependency>, OffGameBuildable {
  func build(withListener listener: any OffGameListener) -> any ViewableRouting {
    let view = OffGameView(
      console: dependency.console, players: dependency.players, gameNames: dependency.gameNames)
    let interactor = OffGameInteractor(presenter: view, scoreStream: dependency.scoreStream)
    interactor.listener = listener
    return OffGameRouter(interactor: interactor, viewController: view)
  }
}
