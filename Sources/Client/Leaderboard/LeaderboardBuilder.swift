import Shared

/// Leaderboard's dependencies, provided by OffGame.
protocol LeaderboardDependency: Dependency {
  var viewFactory: any ViewFactory { get }
  var lobby: any GameLobby { get }
}

protocol LeaderboardBuildable: Buildable {
  /// `game` is the id of the first game that is shown.
  func build(
    withListener listener: any LeaderboardListener, archive: any Archive, names: [String],
    game: String
  ) -> any LeaderboardRouting
}

/// Builds Leaderboard, the RIB with the best players of each game.
final class LeaderboardBuilder: Builder<any LeaderboardDependency>, LeaderboardBuildable {
  func build(
    withListener listener: any LeaderboardListener, archive: any Archive, names: [String],
    game: String
  ) -> any LeaderboardRouting {
    let view = dependency.viewFactory.makeLeaderboardView(names: names)
    let interactor = LeaderboardInteractor(
      presenter: view, archive: archive, games: dependency.lobby.offers.map(\.game), game: game)
    interactor.listener = listener
    return LeaderboardRouter(interactor: interactor, viewController: view)
  }
}
