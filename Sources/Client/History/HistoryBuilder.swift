import RIBs
import Shared

protocol HistoryViewMaking {
  func makeHistoryView() -> any HistoryViewControllable
}

/// History's dependencies, provided by OffGame.
protocol HistoryDependency: Dependency, HistoryViewMaking {
  var lobby: any GameLobby { get }
}

protocol HistoryBuildable: Buildable {
  /// `name` is the name of the person.
  func build(
    withListener listener: any HistoryListener, finishedGames: any FinishedGames, name: String,
    owner: HistoryOwner
  ) -> any HistoryRouting
}

/// Whose games a history has.
enum HistoryOwner: Equatable {
  case mine
  case everyone
  case player(String)
}

/// Builds History, the RIB with finished games.
final class HistoryBuilder: Builder<any HistoryDependency>, HistoryBuildable {
  func build(
    withListener listener: any HistoryListener, finishedGames: any FinishedGames, name: String,
    owner: HistoryOwner
  ) -> any HistoryRouting {
    let view = dependency.makeHistoryView()
    let interactor = HistoryInteractor(
      presenter: view, finishedGames: finishedGames, offers: dependency.lobby.offers, name: name,
      owner: owner)
    interactor.listener = listener
    return HistoryRouter(interactor: interactor, viewController: view)
  }
}
