import Shared

/// Play without a server: two people at one keyboard, or one against the bot.
final class LocalPlay: Play {
  weak var listener: (any PlayListener)?
  let fields = [
    LoginField(.name, label: "First player's name", blank: "Player 1"),
    LoginField(.name, label: "Second player's name", blank: "Player 2"),
  ]
  private let games: GameRegistry
  private let scoreStream: MutableScoreStream
  private let current = CurrentValue(PlayStatus.lobby)
  private let noticeSource = EventSource<String>()
  private var names: [String] = []
  /// The series that goes on, and its game.
  private var match: (series: Series, game: Game)?

  init(games: GameRegistry, scoreStream: MutableScoreStream) {
    self.games = games
    self.scoreStream = scoreStream
  }

  var offers: [Offer] { games.games.map { Offer(game: $0.info, isPlayable: true) } }
  var matchGame: GameInfo? { match?.game.info }
  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { .just([]) }
  var notices: Stream<String> { noticeSource.stream }

  func open() {
    listener?.playDidOpen()
  }

  func problems(with values: [String]) -> [String?] {
    let names = names(of: values)
    let keys = names.map(PlayerName.key)
    return names.indices.map { index in
      if let problem = PlayerName.problem(with: names[index]) { return problem }
      return keys[..<index].contains(keys[index]) ? "Two players need two names." : nil
    }
  }

  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable {
    names = names(of: values)
    answer(.success(names))
    return CompositeCancellable()
  }

  /// As they are known, with what blank ones stand for.
  private func names(of values: [String]) -> [String] {
    zip(values, fields).map { value, field in
      value.trimmed.isEmpty ? field.blank ?? "" : value.trimmed
    }
  }

  func start(_ game: GameInfo, against opponent: Opponent) {
    guard let game = games[game.id], let first = names.first, let last = names.last else { return }
    let second: Player
    switch opponent {
    case .anyone: second = match?.series.players.other(than: .person(first)) ?? .person(last)
    case .bot: second = .bot
    case .player(last): second = .person(last)
    case .player(let name):
      noticeSource.send(
        "There is no \(name) to play against at this keyboard; to play, type: start")
      listener?.playDidNotStart(.refused)
      return
    }
    let series = nextSeries(PerMark(x: .person(first), o: second), game)
    match = (series, game)
    scoreStream.update(with: series)
    listener?.play(
      didStart: game,
      setup: GameSetup(series: series, seat: .both, board: Board(game.info.shape)))
  }

  /// Nobody ever has to be waited for.
  func cancelStart() {
    noticeSource.send("You are not waiting for anybody; to play, type: start")
  }

  func leaveMatch() {
    guard match != nil else {
      return noticeSource.send("There is no match to leave; to begin one, type: start")
    }
    match = nil
    scoreStream.update(with: nil)
    current.send(.lobby)
  }

  func listPlayers() {
    noticeSource.send("Here: " + names.joined(separator: ", "))
  }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    answer(PlayerList(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) }))
  }

  var news: Stream<MatchNews> { .just(MatchNews()) }

  func watch(_ match: String) { noticeSource.send(Self.needsServer) }
  func listMatches() { noticeSource.send(Self.needsServer) }
  func say(_ text: String) { noticeSource.send(Self.needsServer) }
  func listMatches(answer: @escaping (MatchList?) -> Void) { answer(nil) }

  private static let needsServer = "That is for play at a server."

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
    listener?.playDidClose(Farewell(code: .ok, sentence: nil))
  }

  /// Goes on with the series of the same players at the same game, or begins a new one.
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
  /// Who sits opposite a player; `nil` where that one does not play.
  fileprivate func other(than player: Player) -> Player? {
    if x == player { return o }
    return o == player ? x : nil
  }
}
