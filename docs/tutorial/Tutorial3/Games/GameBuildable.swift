import RIBs

/// What LoggedIn provides to each game, whichever it is.
protocol GameDependency: Dependency {
  var console: Console { get }
  var players: Players { get }
}

/// Builds a game, as LoggedIn sees it.
protocol GameBuildable: Buildable {
  func build(withListener listener: any GameListener) -> any ViewableRouting
}

/// A game's calls to LoggedIn.
protocol GameListener: AnyObject {
  /// The game is over. The parent may detach it in this call.
  func gameDidEnd(with outcome: Outcome)
}
