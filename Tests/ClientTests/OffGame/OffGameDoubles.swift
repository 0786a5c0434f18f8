import Shared

@testable import Client

final class OffGamePresentableMock: OffGamePresentable {
  enum Call: Equatable {
    case series(Series?)
    case status(PlayStatus, since: Duration?)
    case invitations([Invitation])
    case players([String])
    case matches([String])
    case request(FirstWish)
    case waiting(Duration)
    case say(String)
  }

  weak var listener: (any OffGamePresentableListener)?
  let showsPlayers: Bool
  private(set) var calls: [Call] = []

  init(showsPlayers: Bool = false) {
    self.showsPlayers = showsPlayers
  }

  func show(_ series: Series?) { calls.append(.series(series)) }

  func show(_ status: PlayStatus, since: Duration?, offers: [Offer]) {
    calls.append(.status(status, since: since))
  }

  func show(_ invitations: [Invitation]) { calls.append(.invitations(invitations)) }
  func show(_ players: PlayerList) { calls.append(.players(players.items.map(\.name))) }
  func show(_ matches: MatchList) { calls.append(.matches(matches.items.map(\.match))) }
  func showRequest(_ wish: FirstWish) { calls.append(.request(wish)) }
  func show(waitingFor duration: Duration) { calls.append(.waiting(duration)) }
  func say(_ sentence: String) { calls.append(.say(sentence)) }

  /// The calls since the last time.
  func take() -> [Call] {
    defer { calls = [] }
    return calls
  }
}

final class OffGameListenerMock: OffGameListener {
  enum Call: Equatable {
    case start(String, Opponent)
    case watch(String)
    case cancel, leave, list, listMatches
  }

  private(set) var calls: [Call] = []

  func watch(_ match: String) { calls.append(.watch(match)) }
  func listMatches() { calls.append(.listMatches) }

  func startGame(with game: GameInfo, against opponent: Opponent) {
    calls.append(.start(game.id, opponent))
  }

  func cancelStart() { calls.append(.cancel) }
  func leaveMatch() { calls.append(.leave) }
  func listPlayers() { calls.append(.list) }
}

final class StartingMock: Starting {
  static let small = Offer(game: .ticTacToe, isPlayable: true)
  static let large = Offer(game: .large, isPlayable: true)
  static let strange = Offer(
    game: GameInfo(id: "chess", name: "Chess", shape: .ticTacToe), isPlayable: false)

  var offers: [Offer] = [small]
  var matchGame: GameInfo?
  let current = CurrentValue(PlayStatus.lobby)
  let standing = CurrentValue<[Invitation]>([])
  let said = EventSource<String>()

  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { standing.stream }
  var notices: Stream<String> { said.stream }

  /// The answers that are waited for.
  var asked: [(PlayerList?) -> Void] = []

  func listPlayers(answer: @escaping (PlayerList?) -> Void) { asked.append(answer) }

  /// What is asked for right after the answer about the players.
  var matches: MatchList? = MatchList([])

  func listMatches(answer: @escaping (MatchList?) -> Void) { answer(matches) }

  /// Answers what was asked first.
  func answer(_ names: String...) {
    asked.removeFirst()(
      PlayerList(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) }))
  }
}

extension GameInfo {
  /// A second game, with another board.
  static let large = GameInfo(
    id: "large", name: "Large", shape: BoardShape(rows: 4, columns: 4, inARow: 4) ?? .ticTacToe)
}

/// OffGame as a workflow sees it, which grants every wish.
final class OffGameActionableItemMock: OffGameActionableItem {
  private(set) var requests: [FirstWish] = []

  func request(_ wish: FirstWish) -> StepStream<any OffGameActionableItem, Void> {
    requests.append(wish)
    return .step(self, ())
  }
}

final class OffGamePresentableListenerMock: OffGamePresentableListener {
  private(set) var calls: [String] = []

  func choose(gameID: String) { calls.append("choose \(gameID)") }

  func start(against opponent: Opponent) {
    switch opponent {
    case .anyone: calls.append("start anyone")
    case .bot: calls.append("start bot")
    case .player(let name): calls.append("start player \(name)")
    }
  }

  func cancel() { calls.append("cancel") }
  func leave() { calls.append("leave") }
  func list() { calls.append("list") }
  func listMatches() { calls.append("matches") }
  func watch(_ match: String) { calls.append("watch \(match)") }
}
