import RIBs
import Shared

protocol LeaderboardViewMaking {
  /// `names` are the names of the people at this client.
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable
}

/// Leaderboard's dependencies, provided by OffGame.
protocol LeaderboardDependency: Dependency, LeaderboardViewMaking {
  var lobby: any GameLobby { get }
}

protocol LeaderboardBuildable: Buildable {
  /// `game` is the id of the first game that is shown.
  func build(
    withListener listener: any LeaderboardListener, finishedGames: any FinishedGames,
    names: [String],
    game: String
  ) -> any LeaderboardRouting
}

/// Builds Leaderboard, the RIB with the best players of each game.
final class LeaderboardBuilder: Builder<any LeaderboardDependency>, LeaderboardBuildable {
  func build(
    withListener listener: any LeaderboardListener, finishedGames: any FinishedGames,
    names: [String],
    game: String
  ) -> any LeaderboardRouting {
    let view = dependency.makeLeaderboardView(names: names)
    let interactor = LeaderboardInteractor(
      presenter: view, finishedGames: finishedGames, games: dependency.lobby.offers.map(\.game),
      game: game)
    interactor.listener = listener
    return LeaderboardRouter(interactor: interactor, viewController: view)
  }
}
