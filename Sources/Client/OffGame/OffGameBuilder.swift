import RIBs
import Shared

protocol OffGameViewMaking {
  /// `names` are the names of the people at this client; `lastGame` is the game that has just
  /// ended.
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable
}

/// OffGame's dependencies, provided by the root.
protocol OffGameDependency: Dependency, OffGameViewMaking, AccountViewMaking, HistoryViewMaking,
  LeaderboardViewMaking
{
  var lobby: any GameLobby { get }
  var scoreStream: any ScoreStream { get }
  var timers: any Timers { get }
  /// `nil` if there are no accounts.
  var accounts: (any AccountService)? { get }
  /// `nil` if no finished games are kept.
  var finishedGames: (any FinishedGames)? { get }
  /// Whether a person is there to answer questions.
  var isAttended: Bool { get }
  /// The game and the bot's level that are chosen in the lobby.
  var mutableGameChoice: MutableGameChoice { get }
}

final class OffGameComponent: Component<any OffGameDependency>, AccountDependency,
  HistoryDependency, LeaderboardDependency
{
  var lobby: any GameLobby { dependency.lobby }
  var isAttended: Bool { dependency.isAttended }

  func makeAccountView() -> any AccountViewControllable { dependency.makeAccountView() }
  func makeHistoryView() -> any HistoryViewControllable { dependency.makeHistoryView() }
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable {
    dependency.makeLeaderboardView(names: names)
  }
}

protocol OffGameBuildable: Buildable {
  /// `names` are the names of the people at this client; `lastGame` is the game that has just
  /// ended.
  func build(
    withListener listener: any OffGameListener, names: [String], lastGame: LastGame?
  ) -> any OffGameRouting
}

/// Builds OffGame, the RIB between games.
final class OffGameBuilder: Builder<any OffGameDependency>, OffGameBuildable {
  func build(
    withListener listener: any OffGameListener, names: [String], lastGame: LastGame?
  ) -> any OffGameRouting {
    let view = dependency.makeOffGameView(names: names, lastGame: lastGame)
    let interactor = OffGameInteractor(
      presenter: view, lobby: dependency.lobby, scoreStream: dependency.scoreStream,
      timers: dependency.timers, choice: dependency.mutableGameChoice,
      accounts: dependency.accounts, hasFinishedGames: dependency.finishedGames != nil)
    interactor.listener = listener
    let component = OffGameComponent(dependency: dependency)
    let router = OffGameRouter(
      interactor: interactor, viewController: view,
      builders: OffGameChildBuilders(
        account: AccountBuilder(dependency: component),
        history: HistoryBuilder(dependency: component),
        leaderboard: LeaderboardBuilder(dependency: component)),
      accounts: dependency.accounts, finishedGames: dependency.finishedGames, names: names)
    interactor.router = router
    return router
  }
}

/// A game that has just ended. OffGame shows it once more.
struct LastGame: Equatable {
  let game: GameInfo
  let players: PerMark<Player>
  /// The marks that were played at this client.
  let seat: Seat
  let board: Board
  let outcome: Outcome
}
