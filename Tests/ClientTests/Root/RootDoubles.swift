import RIBs
import Shared
import TestSupport

@testable import Client

final class GameServiceMock: GameService, LoginService, GameLobby {
  enum Call: Equatable {
    case open
    case start(String, Opponent)
    case openGame(String)
    case join(String)
    case decline(String)
    case watch(String)
    case replay(String)
    case say(String)
    case cancel, leave, list, listMatches, quit
    case gameDidEnd(Outcome)
  }

  weak var delegate: (any GameServiceDelegate)?
  private(set) var calls: [Call] = []
  var loginService: any LoginService { self }
  var lobby: any GameLobby { self }
  var accounts: (any AccountService)? { nil }
  var finishedGames: (any FinishedGames)? { nil }
  let fields = [LoginField(.name, label: "Name")]
  let offers: [Offer] = []
  let matchGame: GameInfo? = nil
  let status = Stream.just(LobbyStatus.lobby)
  let invitations = Stream.just([Invitation]())
  let notices = EventSource<String>().stream

  let currentNews = CurrentValue(MatchNews())

  var news: Stream<MatchNews> { currentNews.stream }

  var playerLists: Stream<PlayerList> { EventSource().stream }
  var matchLists: Stream<MatchList> { EventSource().stream }

  func watch(_ match: String) { calls.append(.watch(match)) }
  func replay(_ match: String) { calls.append(.replay(match)) }
  func say(_ text: String) { calls.append(.say(text)) }
  func mention(_ text: String, onLoss: @escaping () -> Void) { calls.append(.say(text)) }

  func open() { calls.append(.open) }

  func problems(with values: [String]) -> [String?] { values.map { _ in nil } }

  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable {
    answer(.success(values))
    return CompositeCancellable()
  }

  func start(_ game: GameInfo, against opponent: Opponent, level: BotLevel?) {
    calls.append(.start(game.id, opponent))
  }

  func open(_ game: GameInfo) { calls.append(.openGame(game.id)) }
  func join(_ code: String) { calls.append(.join(code)) }
  func decline(_ opponent: String) { calls.append(.decline(opponent)) }
  func cancelStart() { calls.append(.cancel) }
  func leaveMatch() { calls.append(.leave) }
  func listPlayers(answer: @escaping (Result<PlayerList, RequestError>) -> Void) {
    calls.append(.list)
  }

  func listMatches(answer: @escaping (Result<MatchList, RequestError>) -> Void) {
    calls.append(.listMatches)
  }

  func gameDidEnd(with outcome: Outcome) { calls.append(.gameDidEnd(outcome)) }
  func quit() { calls.append(.quit) }
}

/// Records the calls of the root's router and forwards them to a real router if there is one.
final class RootRoutingSpy: RootRouting {
  enum Call: Equatable {
    case loggedOut(alert: String? = nil)
    case offGame([String], after: LastGame? = nil)
    case game(String, GameSetup)
    case replay(String)
    case detachReplay
    case cleanup
  }

  private(set) var calls: [Call] = []
  var game: (any GameRouting)?
  let offGame = OffGameActionableItemMock()
  private let real: RootRouter?
  let interactable: any Interactable
  let viewControllable: any ViewControllable

  init(_ interactor: RootInteractor, real: RootRouter? = nil) {
    interactable = interactor
    self.real = real
    viewControllable = real?.viewControllable ?? PlainRootView(console: TestTerminal().console)
  }

  var currentGame: (any GameRouting)? { real?.currentGame ?? game }

  func routeToLoggedOut(alert: LoginFormError?) {
    calls.append(.loggedOut(alert: alert?.sentence))
    real?.routeToLoggedOut(alert: alert)
  }

  func routeToOffGame(
    as names: [String], after lastGame: LastGame?
  ) -> any OffGameActionableItem {
    calls.append(.offGame(names, after: lastGame))
    return real?.routeToOffGame(as: names, after: lastGame) ?? offGame
  }

  func routeToGame(_ game: Game, setup: GameSetup) {
    calls.append(.game(game.info.id, setup))
    real?.routeToGame(game, setup: setup)
  }

  func routeToReplay(_ replay: Replay, firstGame: Int) {
    calls.append(.replay(replay.match))
    real?.routeToReplay(replay, firstGame: firstGame)
  }

  var isReplaying: Bool { real?.isReplaying ?? false }

  func detachReplay() {
    calls.append(.detachReplay)
    real?.detachReplay()
  }

  func cleanupViews() {
    calls.append(.cleanup)
    real?.cleanupViews()
  }

  var lifecycle: Stream<RouterLifecycle> { EventSource().stream }
  var children: [any Routing] { real?.children ?? [] }
  func load() {}
  func attachChild(_ child: any Routing) {}
  func detachChild(_ child: any Routing) {}
  func launch(from window: any Window) {}
}

/// A worker that counts its starts.
final class WorkerMock: Worker {
  private(set) var startCount = 0

  override func didStart(_ interactorScope: any InteractorScope) { startCount += 1 }
}

/// A running game as its parent sees it.
final class GameRoutingMock: ViewableRouter<any Interactable, any TicTacToeViewControllable>,
  GameRouting
{
  let board: Board
  private(set) var ends: [Outcome] = []

  init(board: Board = Board(.ticTacToe)) {
    self.board = board
    super.init(interactor: Interactor(), viewController: RecordingGameView())
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    ends.append(Outcome(winner: mark.other, reason: reason))
  }
}

final class RootPresentableListenerMock: RootPresentableListener {
  private(set) var calls: [String] = []

  func leaveGame() { calls.append("leave") }
  func say(_ text: String) { calls.append("say \(text)") }
  func quit() { calls.append("quit") }
  func willSuspend() { calls.append("suspend") }
  func didContinue() { calls.append("continue") }
  func inputDidFail(_ sentence: String) { calls.append(sentence) }
}
