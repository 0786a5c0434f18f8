import RIBs
import Shared

@testable import Client

final class OffGamePresentableMock: OffGamePresentable {
  enum Call: Equatable {
    case series(Series?)
    case status(LobbyStatus, since: Duration?)
    case choice(String?, BotLevel?)
    case invitations([Invitation])
    case players([String])
    case matches([String])
    case request(LaunchAction)
    case waiting(Duration)
    case say(String)
  }

  weak var listener: (any OffGamePresentableListener)?
  let showsLists: Bool
  private(set) var calls: [Call] = []

  init(showsLists: Bool = false) {
    self.showsLists = showsLists
  }

  func show(_ series: Series?) { calls.append(.series(series)) }

  func show(_ status: LobbyStatus, since: Duration?, offers: [Offer]) {
    calls.append(.status(status, since: since))
  }

  func show(_ game: GameInfo?, _ level: BotLevel?) { calls.append(.choice(game?.id, level)) }
  func show(_ invitations: [Invitation]) { calls.append(.invitations(invitations)) }
  func show(_ players: PlayerList) { calls.append(.players(players.items.map(\.name))) }
  func show(_ matches: MatchList) { calls.append(.matches(matches.items.map(\.match))) }
  func showRequest(_ action: LaunchAction) { calls.append(.request(action)) }
  private(set) var accounts: [NameStatus] = []

  func show(_ nameStatus: NameStatus) { accounts.append(nameStatus) }
  func show(waitingFor duration: Duration) { calls.append(.waiting(duration)) }
  func say(_ sentence: String) { calls.append(.say(sentence)) }

  /// The calls since the previous `takeCalls`.
  func takeCalls() -> [Call] {
    defer { calls = [] }
    return calls
  }
}

final class OffGameListenerMock: OffGameListener {
  /// The requests to the lobby that were announced.
  private(set) var requestCount = 0
  private(set) var replays: [HistoryItem] = []

  func willRequestGame() { requestCount += 1 }
  func replay(_ item: HistoryItem, later: Int) { replays.append(item) }
}

final class GameLobbyMock: GameLobby {
  enum Call: Equatable {
    case start(String, Opponent)
    case open(String)
    case join(String)
    case decline(String)
    case watch(String)
    case replay(String)
    case cancel, leave
  }

  static let ticTacToe = Offer(game: .ticTacToe, isPlayable: true)
  static let large = Offer(game: .large, isPlayable: true)
  static let unplayable = Offer(
    game: GameInfo(id: "chess", name: "Chess", shape: .ticTacToe), isPlayable: false)

  var offers: [Offer] = [ticTacToe]
  var matchGame: GameInfo?
  let currentStatus = CurrentValue(LobbyStatus.lobby)
  let currentInvitations = CurrentValue<[Invitation]>([])
  let noticeSource = EventSource<String>()

  var status: Stream<LobbyStatus> { currentStatus.stream }
  var invitations: Stream<[Invitation]> { currentInvitations.stream }
  let playerListSource = EventSource<PlayerList>()
  let matchListSource = EventSource<MatchList>()
  var notices: Stream<String> { noticeSource.stream }
  var playerLists: Stream<PlayerList> { playerListSource.stream }
  var matchLists: Stream<MatchList> { matchListSource.stream }

  /// The completions of the requests for players that are pending.
  var pendingPlayerLists: [(Result<PlayerList, RequestError>) -> Void] = []

  func listPlayers(answer: @escaping (Result<PlayerList, RequestError>) -> Void) {
    pendingPlayerLists.append(answer)
  }

  /// The result of each request for matches, which completes at once.
  var matchesResult: Result<MatchList, RequestError> = .success(MatchList([]))

  func listMatches(answer: @escaping (Result<MatchList, RequestError>) -> Void) {
    answer(matchesResult)
  }

  private(set) var calls: [Call] = []
  private(set) var levels: [BotLevel?] = []

  func start(_ game: GameInfo, against opponent: Opponent, level: BotLevel?) {
    calls.append(.start(game.id, opponent))
    levels.append(level)
  }

  func open(_ game: GameInfo) { calls.append(.open(game.id)) }
  func join(_ code: String) { calls.append(.join(code)) }
  func decline(_ opponent: String) { calls.append(.decline(opponent)) }
  func cancelStart() { calls.append(.cancel) }
  func watch(_ match: String) { calls.append(.watch(match)) }
  func replay(_ match: String) { calls.append(.replay(match)) }
  func leaveMatch() { calls.append(.leave) }

  /// Completes the first pending request for players.
  func answerPlayers(_ names: String...) {
    pendingPlayerLists.removeFirst()(
      .success(PlayerList(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) })))
  }
}

extension GameInfo {
  /// A second game with a larger board.
  static let large = GameInfo(
    id: "large", name: "Large", shape: BoardShape(rows: 4, columns: 4, inARow: 4) ?? .ticTacToe)
}

/// OffGame as a workflow sees it. Every request succeeds.
final class OffGameActionableItemMock: OffGameActionableItem {
  private(set) var requests: [LaunchAction] = []

  func request(_ action: LaunchAction) -> StepStream<any OffGameActionableItem, Void> {
    requests.append(action)
    return .step(self, ())
  }
}

final class OffGamePresentableListenerMock: OffGamePresentableListener {
  private(set) var calls: [String] = []
  var didPerform: (OffGameAction) -> Void = { _ in }

  func perform(_ action: OffGameAction) {
    defer { didPerform(action) }
    switch action {
    case .choose(let gameID): calls.append("choose \(gameID)")
    case .chooseLevel(let level): calls.append("level \(level.rawValue)")
    case .start(let opponent): calls.append("start \(name(of: opponent))")
    case .cancelAndStart(let opponent): calls += ["cancel", "start \(name(of: opponent))"]
    case .open: calls.append("open")
    case .join(let code): calls.append("join \(code)")
    case .decline(let opponent): calls.append("decline \(opponent ?? "-")")
    case .cancel: calls.append("cancel")
    case .leave: calls.append("leave")
    case .listPlayers: calls.append("list")
    case .listMatches: calls.append("matches")
    case .history(let owner): calls.append("history \(owner)")
    case .leaderboard(let gameID): calls.append("leaderboard \(gameID ?? "-")")
    case .account(let purpose): calls.append("account \(purpose)")
    case .watch(let match): calls.append("watch \(match)")
    case .replay(let match): calls.append("replay \(match)")
    case .quit: calls.append("quit")
    }
  }

  private func name(of opponent: Opponent) -> String {
    switch opponent {
    case .anyone: "anyone"
    case .bot: "bot"
    case .player(let name): "player \(name)"
    }
  }
}
