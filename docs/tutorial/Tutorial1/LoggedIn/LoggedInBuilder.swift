import RIBs

/// LoggedIn's dependencies, provided by the root.
protocol LoggedInDependency: Dependency {
  var console: Console { get }
  /// The view in which LoggedIn shows the views of its children.
  var loggedInView: any LoggedInViewControllable { get }
}

final class LoggedInComponent: Component<any LoggedInDependency>, OffGameDependency,
  TicTacToeDependency
{
  let players: Players
  var console: Console { dependency.console }
  var mutableScoreStream: MutableScoreStream { shared { MutableScoreStream() } }
  var scoreStream: any ScoreStream { mutableScoreStream }

  init(dependency: any LoggedInDependency, players: Players) {
    self.players = players
    super.init(dependency: dependency)
  }

  func makeTicTacToeView() -> any TicTacToeViewControllable {
    TicTacToeView(console: console, players: players)
  }
}

protocol LoggedInBuildable: Buildable {
  func build(withListener listener: any LoggedInListener, players: Players) -> any Routing
}

final class LoggedInBuilder: Builder<any LoggedInDependency>, LoggedInBuildable {
  func build(withListener listener: any LoggedInListener, players: Players) -> any Routing {
    let component = LoggedInComponent(dependency: dependency, players: players)
    let interactor = LoggedInInteractor(scoreStream: component.mutableScoreStream)
    interactor.listener = listener
    let router = LoggedInRouter(
      interactor: interactor, viewController: dependency.loggedInView,
      offGameBuilder: OffGameBuilder(dependency: component),
      ticTacToeBuilder: TicTacToeBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
