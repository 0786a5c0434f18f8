import RIBs
import Shared

/// The root's dependencies, provided by the program.
protocol RootDependency: Dependency {
  var viewFactory: any ViewFactory { get }
  var random: RandomSource { get }
  var botThinker: any BotThinker { get }
  var timers: any Timers { get }
  var gameService: any GameService { get }
  var scoreStream: any ScoreStream { get }
  /// Workers that run while the root is active.
  var workers: [any Working] { get }
  /// The names to log in with, without asking; empty means to ask.
  var presetNames: [String] { get }
  /// Whether a person is there to answer questions. If not, the program ends when the launch action
  /// fails.
  var isAttended: Bool { get }
  /// The action right after the login; `nil` means that the person chooses.
  var launchAction: LaunchAction? { get }
  /// The game and the bot's level that are chosen in the lobby.
  var gameChoice: GameChoice { get }
  /// The match in a file, to show instead of everything else.
  var replay: Replay? { get }
  /// The games of this client, fed from a stored match.
  var replayGames: (RemoteMatch) -> GameRegistry { get }
}

final class RootComponent: Component<any RootDependency>, LoggedOutDependency, OffGameDependency,
  ReplayDependency
{
  private var viewFactory: any ViewFactory { dependency.viewFactory }
  var loginService: any LoginService { dependency.gameService.loginService }
  var lobby: any GameLobby { dependency.gameService.lobby }
  var accounts: (any AccountService)? { dependency.gameService.accounts }
  var finishedGames: (any FinishedGames)? { dependency.gameService.finishedGames }
  var scoreStream: any ScoreStream { dependency.scoreStream }
  var timers: any Timers { dependency.timers }
  var presetNames: [String] { dependency.presetNames }
  var isAttended: Bool { dependency.isAttended }
  private(set) lazy var mutableGameChoice = MutableGameChoice(dependency.gameChoice)
  var replayGames: (RemoteMatch) -> GameRegistry { dependency.replayGames }
  var random: RandomSource { dependency.random }
  var botThinker: any BotThinker { dependency.botThinker }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    viewFactory.makeGameView(for: game, setup: setup)
  }

  func makeLoggedOutView() -> any LoggedOutViewControllable { viewFactory.makeLoggedOutView() }
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    viewFactory.makeOffGameView(names: names, lastGame: lastGame)
  }
  func makeReplayView() -> any ReplayViewControllable { viewFactory.makeReplayView() }
  func makeAccountView() -> any AccountViewControllable { viewFactory.makeAccountView() }
  func makeHistoryView() -> any HistoryViewControllable { viewFactory.makeHistoryView() }
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable {
    viewFactory.makeLeaderboardView(names: names)
  }
}

protocol RootBuildable: Buildable {
  func build(withListener listener: any RootListener) -> any LaunchRouting
}

/// Builds the client's tree; the program launches it.
final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build(withListener listener: any RootListener) -> any LaunchRouting {
    let component = RootComponent(dependency: dependency)
    let view = dependency.viewFactory.makeRootView()
    let interactor = RootInteractor(
      presenter: view, gameService: dependency.gameService, timers: dependency.timers,
      workers: dependency.workers, launchAction: dependency.launchAction,
      isAttended: dependency.isAttended, replay: dependency.replay)
    interactor.listener = listener
    let router = RootRouter(
      interactor: interactor, viewController: view,
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      offGameBuilder: OffGameBuilder(dependency: component),
      replayBuilder: ReplayBuilder(dependency: component), gameDependency: component)
    interactor.router = router
    return router
  }
}
