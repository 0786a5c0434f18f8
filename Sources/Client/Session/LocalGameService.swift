import RIBs
import Shared

/// Runs games without a server: two people at one keyboard, or one person against the bot. It
/// completes every call at once.
final class LocalGameService: GameService {
  weak var delegate: (any GameServiceDelegate)?
  private let games: GameRegistry
  private let scoreStream: MutableScoreStream
  private let asksForBoth: Bool
  private let current = CurrentValue(LobbyStatus.lobby)
  private let noticeSource = EventSource<String>()
  private var names: [String] = []
  /// The current series and its game.
  private var match: (series: Series, game: Game)?
  private var level = BotLevel.hard

  /// Without `asksForBoth`, only one person logs in, and the second player's name is the default.
  init(games: GameRegistry, scoreStream: MutableScoreStream, asksForBoth: Bool = true) {
    self.games = games
    self.scoreStream = scoreStream
    self.asksForBoth = asksForBoth
  }

  var loginService: any LoginService { self }
  var lobby: any GameLobby { self }
  var accounts: (any AccountService)? { nil }
  var finishedGames: (any FinishedGames)? { nil }
  var news: Stream<MatchNews> { .just(MatchNews()) }

  func open() {
    delegate?.gameServiceDidOpen()
  }

  func say(_ text: String) { noticeSource.send(Self.needsServer) }

  func mention(_ text: String, onLoss: @escaping () -> Void) {}

  func gameDidEnd(with outcome: Outcome) {
    guard let (latest, game) = match else { return }
    var series = latest
    series.gameDidEnd(with: outcome)
    match = (series, game)
    scoreStream.update(with: series)
    guard outcome.reason != .left else { return leaveMatch() }
    current.send(.betweenGames(outcome, hasAsked: false))
  }

  func quit() {
    delegate?.gameServiceDidClose(ExitReport(code: .ok))
  }

  private static let needsServer = "This works only on a server."
}

extension LocalGameService: LoginService {
  var fields: [LoginField] {
    guard asksForBoth else { return [LoginField(.name, label: "Your name", blank: "Player 1")] }
    return [
      LoginField(.name, label: "First player's name", blank: "Player 1"),
      LoginField(.name, label: "Second player's name", blank: "Player 2"),
    ]
  }

  func problems(with values: [String]) -> [String?] {
    let names = names(of: values)
    let keys = names.map(PlayerName.key)
    return names.indices.map { index in
      if let problem = PlayerName.problem(with: names[index]) { return problem }
      return keys[..<index].contains(keys[index]) ? "The two players need different names." : nil
    }
  }

  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable {
    names = names(of: values)
    if let name = names.first, names.count == 1 {
      let isTaken = PlayerName.key(of: name) == PlayerName.key(of: "Player 2")
      names.append(isTaken ? "Player 1" : "Player 2")
    }
    answer(.success(names))
    return CompositeCancellable()
  }

  /// Returns the trimmed names, and the default name for each blank one.
  private func names(of values: [String]) -> [String] {
    zip(values, fields).map { value, field in
      value.trimmed.isEmpty ? field.blank ?? "" : value.trimmed
    }
  }
}

extension LocalGameService: GameLobby {
  var offers: [Offer] { games.games.map { Offer(game: $0.info, isPlayable: true) } }
  var matchGame: GameInfo? { match?.game.info }
  var status: Stream<LobbyStatus> { current.stream }
  var invitations: Stream<[Invitation]> { .just([]) }
  var notices: Stream<String> { noticeSource.stream }
  var playerLists: Stream<PlayerList> { EventSource().stream }
  var matchLists: Stream<MatchList> { EventSource().stream }

  func start(_ game: GameInfo, against opponent: Opponent, level: BotLevel?) {
    guard let game = games[game.id], let first = names.first, let last = names.last else { return }
    let second: Player
    switch opponent {
    case .anyone: second = match?.series.players.other(than: .person(first)) ?? .person(last)
    case .bot: second = .bot
    case .player(last): second = .person(last)
    case .player(let name):
      noticeSource.send("\(name) is not at this keyboard. To play, type: start")
      delegate?.gameServiceDidNotStart(.refused)
      return
    }
    let series = nextSeries(PerMark(x: .person(first), o: second), game)
    self.level = level ?? (match == nil ? .hard : self.level)
    match = (series, game)
    scoreStream.update(with: series)
    delegate?.gameService(
      didStart: game,
      setup: GameSetup(
        series: series, seat: .both, board: game.info.board, level: self.level))
  }

  func open(_ game: GameInfo) { refuseStart() }
  func join(_ code: String) { refuseStart() }
  func decline(_ opponent: String) { noticeSource.send(Self.needsServer) }

  private func refuseStart() {
    noticeSource.send(Self.needsServer)
    delegate?.gameServiceDidNotStart(.refused)
  }

  /// Every start succeeds or fails at once, so there is nothing to cancel.
  func cancelStart() {
    noticeSource.send("You are not waiting for anybody. To play, type: start")
  }

  func watch(_ match: String) { noticeSource.send(Self.needsServer) }
  func replay(_ match: String) { refuseStart() }

  func leaveMatch() {
    guard match != nil else {
      return noticeSource.send("There is no match to leave. To begin one, type: start")
    }
    match = nil
    scoreStream.update(with: nil)
    current.send(.lobby)
  }

  func listPlayers(answer: @escaping RequestAnswer<PlayerList>) {
    answer(.success(PlayerList(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) })))
  }

  func listMatches(answer: @escaping RequestAnswer<MatchList>) {
    answer(.failure(RequestError(sentence: Self.needsServer)))
  }

  /// Continues the series if the same players play the same game, or begins a new one.
  private func nextSeries(_ players: PerMark<Player>, _ game: Game) -> Series {
    guard let (latest, last) = match, last.info == game.info,
      latest.players == players || latest.players == players.swapped
    else { return Series(players) }
    var series = latest
    series.swapMarks()
    return series
  }
}

extension PerMark<Player> {
  /// Returns the opponent of a player; `nil` if that player does not play.
  fileprivate func other(than player: Player) -> Player? {
    if x == player { return o }
    return o == player ? x : nil
  }
}
