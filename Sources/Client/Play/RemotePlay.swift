import Shared

/// Play at the other end of the link: commands go up, and what has happened comes down.
final class RemotePlay: Play {
  /// How long a goodbye is waited for.
  static let patience: Duration = .seconds(2)

  /// When the link is opened.
  enum ConnectTime {
    /// Before anybody is asked anything; where that fails, it is all over.
    case atLaunch
    /// With each login; one that fails can be tried again, also elsewhere.
    case atLogin
  }

  private enum Life {
    /// The link is to open before people can log in.
    case opening
    case loggedOut, loggedIn, quitting, closed
  }

  weak var listener: (any PlayListener)?
  private(set) var offers: [Offer] = []
  private(set) var matchGame: GameInfo?
  /// The mark that is played here in the running game, or was in the last.
  private var own: Mark?
  private let link: ServerLink
  private let match: RemoteMatch
  private let games: GameRegistry
  private let scoreStream: MutableScoreStream
  private let timers: any Timers
  private let connectTime: ConnectTime
  /// Of the server that is played at, or was tried last.
  private var address: ServerAddress
  private var life = Life.opening
  private let current = CurrentValue(PlayStatus.lobby)
  private let standing = CurrentValue<[Invitation]>([])
  private let noticeSource = EventSource<String>()
  private let subscriptions = CompositeCancellable()

  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream,
    timers: any Timers, address: ServerAddress, connectTime: ConnectTime
  ) {
    self.link = link
    self.match = match
    self.games = games
    self.scoreStream = scoreStream
    self.timers = timers
    self.address = address
    self.connectTime = connectTime
    match.listener = self
  }

  deinit {
    subscriptions.cancel()
  }

  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { standing.stream }
  var notices: Stream<String> { noticeSource.stream }

  func open() {
    subscriptions.insert(link.state.subscribe { [weak self] in self?.linkDidChange($0) })
    subscriptions.insert(link.events.subscribe { [weak self] in self?.receive($0) })
    switch connectTime {
    case .atLaunch:
      link.connect(to: address)
    case .atLogin:
      life = .loggedOut
      listener?.playDidOpen()
    }
  }

  func start(_ game: GameInfo, against opponent: Opponent) {
    let name: String? =
      switch opponent {
      case .anyone: nil
      case .bot: Player.botName
      case .player(let name): name
      }
    send(.start(opponent: name, game: game.id)) { [weak self] in
      self?.listener?.playDidNotStart(.refused)
    }
  }

  func cancelStart() {
    send(.cancel)
  }

  func leaveMatch() {
    send(.leave)
  }

  func listPlayers() {
    link.send(.list(.players)) { [weak self] event in
      if case .players(let list) = event { self?.noticeSource.send(Self.sentence(of: list)) }
      if case .error(_, let message, _, _) = event { self?.noticeSource.send(message) }
    }
  }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    link.send(.list(.players)) { event in
      if case .players(let list) = event { answer(list) } else { answer(nil) }
    }
  }

  /// The server has counted it.
  func gameDidEnd(with outcome: Outcome) {}

  func quit() {
    guard life != .quitting, life != .closed else { return }
    life = .quitting
    guard link.isOpen else { return close(Farewell(code: .ok, sentence: nil)) }
    link.send(.quit)
    timers.schedule(after: Self.patience) { [weak self] in
      self?.close(Farewell(code: .ok, sentence: nil))
    }
  }

  /// Sends a command whose refusal is a sentence to show.
  private func send(_ command: Command, onRefusal: @escaping () -> Void = {}) {
    link.send(command) { [weak self] answer in
      guard case .error(_, let message, _, _) = answer else { return }
      self?.noticeSource.send(message)
      onRefusal()
    }
  }

  private func linkDidChange(_ state: LinkState) {
    switch state {
    case .idle, .connecting: break
    case .open(let hello): didOpen(hello)
    case .closed(let failure): didClose(failure)
    }
  }

  private func didOpen(_ hello: Hello) {
    offers = hello.games.compactMap { listed in
      guard
        let shape = BoardShape(rows: listed.rows, columns: listed.columns, inARow: listed.inARow)
      else { return nil }
      return Offer(
        game: GameInfo(id: listed.id, name: listed.name, shape: shape),
        isPlayable: games[listed.id] != nil)
    }
    guard life == .opening else { return }
    life = .loggedOut
    listener?.playDidOpen()
  }

  private func didClose(_ failure: LinkFailure) {
    switch (life, connectTime) {
    case (.loggedOut, .atLogin):
      // A login that was under way has said so; else the next one connects again.
      break
    case (.opening, _), (.loggedOut, .atLaunch), (.loggedIn, _):
      close(failure.farewell(from: address))
    case (.quitting, _):
      close(Farewell(code: .ok, sentence: nil))
    case (.closed, _):
      break
    }
  }

  private func close(_ farewell: Farewell) {
    guard life != .closed else { return }
    life = .closed
    subscriptions.cancel()
    listener?.playDidClose(farewell)
  }
}

extension RemotePlay: LoginService {
  var fields: [LoginField] {
    [
      LoginField(.name, label: "Your name", blank: "the server picks one"),
      LoginField(.host, label: "Server", value: address.host),
      LoginField(.port, label: "Port", value: String(address.port)),
    ]
  }

  /// Whether a name is free, and good, the server has the last word on.
  func problems(with values: [String]) -> [String?] {
    [
      ServerForm.isName(values[0]) ? nil : ErrorCode.badName.message,
      values[1].trimmed.isEmpty ? "Where is the server? A name or an address is needed." : nil,
      ServerForm.port(values[2]) == nil ? "A port is a number from 1 to 65535." : nil,
    ]
  }

  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable {
    let name = values[0].trimmed
    address = ServerAddress(
      host: values[1].trimmed, port: ServerForm.port(values[2]) ?? address.port)
    let login = RemoteLogin(
      as: name.isEmpty ? nil : name, at: address, over: link, progress: progress
    ) { [weak self] result in
      if case .success = result { self?.life = .loggedIn }
      answer(result)
    }
    login.begin()
    return login
  }
}

/// What the server tells.
extension RemotePlay {
  private func receive(_ received: ReceivedEvent) {
    // What still comes before the goodbye is of no use to anybody.
    guard life != .quitting else { return }
    switch received.event {
    case .match(let event):
      match.receive(event)
    case .unknown(let match?, let seq?):
      self.match.receiveUnknown(match: match, seq: seq)
    case .didQueue(_, let opponent):
      if case .betweenGames(let outcome, _) = current.value {
        current.send(.betweenGames(outcome, hasAsked: true))
      } else {
        current.send(.waiting(opponent: opponent))
      }
    case .didCancel:
      didCancel(isAnswer: received.re != nil)
    case .invited(let from, let game):
      standing.send(standing.value + [Invitation(from: from, game: game)])
    case .invitationDidEnd(let from, let game):
      standing.send(standing.value.filter { $0 != Invitation(from: from, game: game) })
      noticeSource.send("\(from) has taken the invitation back.")
    case .error(_, let message, _, _):
      noticeSource.send(message)
    case .hello, .bye, .didLogin, .matchSnapshot, .matches, .players, .games, .pong, .help,
      .unknown:
      // Told by the link, or to whoever has asked; or answers to what this client does not ask.
      break
    }
  }

  private func didCancel(isAnswer: Bool) {
    switch current.value {
    case .lobby:
      return
    case .waiting(let opponent):
      if !isAnswer, let opponent { noticeSource.send("\(opponent) has gone.") }
      current.send(.lobby)
    case .betweenGames(let outcome, _):
      current.send(.betweenGames(outcome, hasAsked: false))
    }
    listener?.playDidNotStart(.cancelled)
  }

  private static func sentence(of list: ItemList<ListedPlayer>) -> String {
    var people = list.items.map { player in
      let doing =
        switch player.place {
        case .lobby: "free"
        case .waiting: "waits for a game"
        case .playing: "plays"
        case .watching: "watches"
        }
      return "\(player.name) (\(doing))"
    }
    if list.more > 0 { people.append("and \(list.more) more") }
    return "Here: " + people.joined(separator: ", ")
  }
}

extension RemotePlay: RemoteMatchListener {
  func match(didStart picture: GamePicture) {
    let series = Series(
      picture.players.map { $0 == Player.botName ? .bot : .person($0) }, score: picture.score)
    endInvitations(among: picture.players)
    own = picture.you
    scoreStream.update(with: series)
    guard let game = games[picture.game] else {
      noticeSource.send("The server began a game that cannot be played here: \(picture.game).")
      leaveMatch()
      listener?.playDidNotStart(.refused)
      return
    }
    matchGame = game.info
    listener?.play(
      didStart: game,
      setup: GameSetup(
        series: series, seat: picture.you.map(Seat.one) ?? .none, board: picture.board))
  }

  func match(didEndGame outcome: Outcome, score: Score) {
    switch outcome.reason {
    case .left, .abandoned:
      // The end of the match is next, and the outcome has said why.
      didLeaveMatch()
    case .line, .full, .resigned, .timeout:
      current.send(.betweenGames(outcome, hasAsked: false))
      if let series = scoreStream.latest {
        scoreStream.update(with: Series(series.players, score: score))
      }
    }
  }

  func match(didEnd reason: MatchEndReason, by mark: Mark?) {
    // The goodbye of a server that stops is next, and says it all.
    guard reason != .shutdown else { return }
    guard let players = scoreStream.latest?.players else { return }
    if let mark, mark != own { noticeSource.send("\(players[mark].name) has left the match.") }
    didLeaveMatch()
    listener?.playDidEndMatch()
  }

  private func didLeaveMatch() {
    if let players = scoreStream.latest?.players { endInvitations(among: players.map(\.name)) }
    matchGame = nil
    scoreStream.update(with: nil)
    current.send(.lobby)
  }

  /// The invitations between two players end with the beginning of their game, and with the match.
  private func endInvitations(among players: PerMark<String>) {
    standing.send(standing.value.filter { ![players.x, players.o].contains($0.from) })
  }
}
