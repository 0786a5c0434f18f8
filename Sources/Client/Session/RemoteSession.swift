import RIBs
import Shared

/// The state of a person that is logged in to a server, as the server's events describe it.
final class RemoteSession {
  weak var delegate: (any GameServiceDelegate)? { didSet { commands.delegate = delegate } }
  let commands: SessionCommands
  /// The games that the server offers; set at each connection.
  var offers: [Offer] = []
  /// The server, as this client reached it.
  private let address: () -> ServerAddress
  /// See `ClientOptions.friendLine`.
  private let friendLine: String?
  private(set) var matchGame: GameInfo?
  /// The mark played here in the current game, or in the last one.
  var own: Mark?
  let link: ServerLink
  let match: RemoteMatch
  private let games: GameRegistry
  let scoreStream: MutableScoreStream
  let current = CurrentValue(LobbyStatus.lobby)
  let invitationList: InvitationList
  let noticeSource = EventSource<String>()
  /// The last announcement without a time, which the server repeats after each login.
  private var announcement: String?
  /// The notice of the last announcement, and when it came.
  private var lastNotice: (text: String, moment: Duration)?
  let playerListSource = EventSource<PlayerList>()
  let matchListSource = EventSource<MatchList>()
  let returnSource = EventSource<Void>()
  let replays: ReplayLoader
  /// How the connection was lost after which a spectator watches again.
  var absenceOfMatch = Absence.short
  /// Whether a server to which the session has moved has repeated a request; `nil` once it has
  /// repeated all that stands.
  var hasRepeatedRequest: Bool?

  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream,
    friendLine: String? = nil, address: @escaping () -> ServerAddress
  ) {
    self.friendLine = friendLine
    self.address = address
    self.link = link
    self.match = match
    self.games = games
    self.scoreStream = scoreStream
    commands = SessionCommands(link: link, notices: noticeSource)
    replays = ReplayLoader(commands: commands)
    invitationList = InvitationList { [unowned link] in link.now }
    match.delegate = self
  }

  /// Shows the person a sentence that replies to no command.
  func notify(_ sentence: String) {
    commands.hold(sentence)
  }
}

/// The end of the session.
extension RemoteSession {
  /// Ends the session, with its match, its invitations and the replay that is being loaded. Does
  /// not call the delegate.
  func end() {
    hasRepeatedRequest = nil
    _ = commands.takeLostStart()
    replays.connectionDidEnd()
    match.forget()
    match.news.sessionDidEnd()
    invitationList.removeAll()
    announcement = nil
    didLeaveMatch()
  }

  /// Whether the person plays in a match.
  var isInMatch: Bool { match.last != nil && own != nil }

  /// Returns a sentence about the match that is lost with the connection; `nil` without a match.
  func loss(after absence: Absence) -> String? {
    guard match.last != nil, let players = scoreStream.latest?.players else { return nil }
    guard let own else { return absence.sentenceAboutWatchedMatch }
    return absence.sentence(aboutMatchWith: players[own.other].name)
  }
}

/// The server's events.
extension RemoteSession {
  func receive(_ received: ReceivedEvent) {
    defer { commands.sendHeldNotices() }
    if replays.receive(received.event) { return }
    switch received.event {
    case .match(let event):
      match.receive(event)
    case .unknown(let match?, let seq?):
      self.match.receiveUnknown(match: match, seq: seq)
    case .didQueue(_, let opponent, let code, _):
      didQueue(opponent: opponent, code: code)
    case .didCancel(let reason):
      didCancel(because: reason, isAnswer: received.re != nil)
    case .invited(let from, let game, let timeLeft):
      didInvite(from, game, timeLeft: timeLeft)
    case .invitationDidEnd(let from, let game):
      invitationDidEnd(from, game, isAnswer: received.re != nil)
    case .announcement(let text, let timeLeft):
      didAnnounce(text, timeLeft: timeLeft)
    case .spectatorsDidChange(let match, let count):
      self.match.spectatorsDidChange(in: match, to: count)
    case .error(_, let message, _, let retry):
      noticeSource.send(message.naming(retry))
    case .matchSnapshot(let snapshot):
      match.receive(snapshot)
    case .didLeave:
      match.forget()
      didLeaveMatch()
      delegate?.gameServiceDidEndMatch()
    case .players(let list) where received.re == nil:
      playerListSource.send(list)
    case .matches(let list) where received.re == nil:
      matchListSource.send(list)
    case .hello, .bye, .didLogin, .didRegister, .didUnregister, .matches, .players, .games,
      .history,
      .leaderboard, .replayDidStart, .replayDidEnd, .pong, .help, .unknown:
      // The link handles `hello` and `bye`. The others go to their callers, or reply to commands
      // that this client never sends.
      break
    }
  }

  private func didQueue(opponent: String?, code: String?) {
    let status: LobbyStatus
    if case .betweenGames(let outcome, _) = current.value {
      status = .betweenGames(outcome, hasAsked: true)
    } else {
      let friend = code.map { FriendCode(code: $0, address: address(), friendLine: friendLine) }
      status = .waiting(opponent: opponent, friend: friend)
    }
    // A request that is repeated after a move has been on the screen all the time.
    if hasRepeatedRequest == nil || status != current.value { current.send(status) }
    if hasRepeatedRequest != nil { hasRepeatedRequest = true }
  }

  private func didCancel(because reason: CancelReason?, isAnswer: Bool) {
    switch current.value {
    case .lobby:
      return
    case .waiting(let opponent, _):
      if !isAnswer, let opponent {
        notify((reason ?? .left).sentence(about: opponent))
      }
      current.send(.lobby)
    case .betweenGames(let outcome, _):
      if reason == .declined, let own, let players = scoreStream.latest?.players {
        notify("\(players[own.other].name) does not want another game.")
      }
      current.send(.betweenGames(outcome, hasAsked: false))
    case .watching:
      return
    }
    delegate?.gameServiceDidNotStart(.cancelled)
  }

  private func didInvite(_ from: String, _ game: String, timeLeft: Duration?) {
    guard invitationList.add(from: from, game: game, timeLeft: timeLeft) else { return }
    // OffGame, which shows the invitations, comes back after the game.
    guard match.isRunning else { return }
    let name = offers.first { $0.game.id == game }?.game.name ?? game
    notify("\(from) invites you to \(name). You can answer after this game.")
  }

  private func invitationDidEnd(_ from: String, _ game: String, isAnswer: Bool) {
    let isOver = invitationList.remove(from: from, game: game)
    guard !isAnswer else { return noticeSource.send("You have declined to play with \(from).") }
    notify(
      isOver ? "The invitation of \(from) has ended." : "\(from) has withdrawn the invitation.")
  }

  /// Shows an announcement. A greeting that the server repeats is shown once.
  private func didAnnounce(_ text: String, timeLeft: Duration?) {
    match.news.serverWillStop(within: timeLeft)
    guard timeLeft != nil || text != announcement else { return }
    announcement = timeLeft == nil ? text : nil
    let notice = "The server says: \(text)"
    lastNotice = (notice, link.timers.now)
    notify(notice)
  }
}

extension RemoteSession: RemoteMatchDelegate {
  /// A game that begins sooner after an announcement shows it again.
  private static let timeToRead: Duration = .seconds(2)

  func match(didStart state: GameState) {
    let series = Series(
      state.players.map { $0 == Player.botName ? .bot : .person($0) }, score: state.score)
    if state.you != nil { invitationList.removeAll(among: state.players) }
    own = state.you
    scoreStream.update(with: series)
    guard let game = games[state.game], game.info.shape == state.board.shape else {
      leaveMatch()
      // OffGame comes back first, so that it can show the notice.
      delegate?.gameServiceDidEndMatch()
      noticeSource.send("The server began a game that cannot be played here: \(state.game).")
      delegate?.gameServiceDidNotStart(.refused)
      return
    }
    matchGame = game.info
    delegate?.gameService(
      didStart: game,
      setup: GameSetup(
        series: series, seat: state.you.map(Seat.one) ?? .none, board: state.board))
    // A log-in that leads into a match shows the lobby too briefly.
    if let lastNotice, link.timers.now - lastNotice.moment < Self.timeToRead {
      notify(lastNotice.text)
    }
    lastNotice = nil
  }

  func match(didEndGame outcome: Outcome, score: Score) {
    switch outcome.reason {
    case .left, .abandoned:
      // The match ends next, and the outcome has given the reason.
      didLeaveMatch()
    case .line, .full, .resigned, .timeout:
      current.send(own == nil ? .watching(outcome) : .betweenGames(outcome, hasAsked: false))
      if let series = scoreStream.latest {
        scoreStream.update(with: Series(series.players, score: score))
      }
    }
  }

  func match(didEnd reason: MatchEndReason, by mark: Mark?) {
    // The server's `bye` comes next and gives the reason.
    guard reason != .shutdown else { return }
    guard let players = scoreStream.latest?.players else { return }
    if let mark, mark != own { notify("\(players[mark].name) has left the match.") }
    didLeaveMatch()
    delegate?.gameServiceDidEndMatch()
  }

  func matchDidNotReply() {
    noticeSource.send(SessionCommands.noAnswer)
  }

  func matchDidVanish() {
    matchDidVanish(after: absenceOfMatch)
  }

  func matchDidVanish(after absence: Absence) {
    absenceOfMatch = .short
    let loss = loss(after: absence)
    match.forget()
    didLeaveMatch()
    // OffGame comes back first, so that it can show the notice.
    delegate?.gameServiceDidEndMatch()
    if let loss { noticeSource.send(loss) }
  }

  private func didLeaveMatch() {
    if let players = scoreStream.latest?.players {
      invitationList.removeAll(among: players.map(\.name))
    }
    matchGame = nil
    scoreStream.update(with: nil)
    current.send(.lobby)
  }
}
