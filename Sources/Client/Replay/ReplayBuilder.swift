import RIBs
import Shared

protocol ReplayViewMaking {
  func makeReplayView() -> any ReplayViewControllable
}

/// Replay's dependencies, provided by the root.
protocol ReplayDependency: TicTacToeDependency, ReplayViewMaking {
  var timers: any Timers { get }
  /// The games of this client, fed from a stored match.
  var replayGames: (RemoteMatch) -> GameRegistry { get }
}

protocol ReplayBuildable: Buildable {
  /// `firstGame` is the index of the game with which the replay begins.
  func build(
    withListener listener: any ReplayListener, replay: Replay, firstGame: Int
  ) -> any ReplayRouting
}

/// Builds Replay, the RIB that shows a stored match. It attaches the same proxies of games as the
/// root does, and feeds them from the store instead of a connection.
final class ReplayBuilder: Builder<any ReplayDependency>, ReplayBuildable {
  func build(
    withListener listener: any ReplayListener, replay: Replay, firstGame: Int
  ) -> any ReplayRouting {
    let view = dependency.makeReplayView()
    let interactor = ReplayInteractor(
      presenter: view, player: ReplayPlayer(replay, timers: dependency.timers),
      games: dependency.replayGames, firstGame: firstGame)
    interactor.listener = listener
    let router = ReplayRouter(
      interactor: interactor, viewController: view, gameDependency: dependency)
    interactor.router = router
    return router
  }
}
