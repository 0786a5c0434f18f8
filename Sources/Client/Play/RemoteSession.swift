import Shared

/// What a person who is logged in does at a server, and is told there: commands go up, and what has
/// happened comes down.
final class RemoteSession {
  /// The longest remark, in Unicode scalars.
  static let longestRemark = 200

  weak var listener: (any PlayListener)?
  private(set) var matchGame: GameInfo?
  /// The mark that is played here in the running game, or was in the last.
  private var own: Mark?
  private let link: ServerLink
  private let match: RemoteMatch
  private let games: GameRegistry
  private let scoreStream: MutableScoreStream
  private let current = CurrentValue(PlayStatus.lobby)
  private let standing = CurrentValue<[Invitation]>([])
  private let noticeSource = EventSource<String>()

  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream
  ) {
    self.link = link
    self.match = match
    self.games = games
    self.scoreStream = scoreStream
    match.listener = self
  }

  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { standing.stream }
  var notices: Stream<String> { noticeSource.stream }

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

  func watch(_ match: String) {
    send(.watch(match: match)) { [weak self] in self?.listener?.playDidNotStart(.refused) }
  }

  func say(_ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return }
    guard text.unicodeScalars.count <= Self.longestRemark else {
      return noticeSource.send("That is too long; at most \(Self.longestRemark) characters.")
    }
    link.send(.say(text)) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .error(_, let message, _, _): noticeSource.send(message)
      // It can be typed again, or copied.
      case nil: noticeSource.send("Not said: “\(text)”. \(noAnswer)")
      default: break
      }
    }
  }

  func listPlayers() {
    send(.list(.players))
  }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    link.send(.list(.players)) { event in
      if case .players(let list) = event { answer(list) } else { answer(nil) }
    }
  }

  func listMatches() {
    send(.list(.matches))
  }

  func listMatches(answer: @escaping (MatchList?) -> Void) {
    link.send(.list(.matches)) { event in
      if case .matches(let list) = event { answer(list) } else { answer(nil) }
    }
  }

  /// Sends a command whose refusal is a sentence to show, and a list that answers it as well.
  private func send(_ command: Command, onRefusal: @escaping () -> Void = {}) {
    link.send(command) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .players(let list): noticeSource.send(list.sentence)
      case .matches(let list): noticeSource.send(list.sentence)
      case .error(_, let message, _, _):
        noticeSource.send(message)
        onRefusal()
      case nil:
        noticeSource.send(noAnswer)
        onRefusal()
      default: break
      }
    }
  }

  /// Why a command has come to nothing.
  private var noAnswer: String {
    link.isOpen
      ? "The server does not answer; try it again in a moment."
      : "There is no connection to the server now; wait until it is back."
  }
}

/// The session on a new connection.
extension RemoteSession {
  /// How long a connection was lost: whether a place may have been kept so long.
  enum Absence {
    case short, tooLong
  }

  /// What stands is told again by the server, unless it is over; `place` is `nil` where a new
  /// session had to be begun.
  func didReturn(to place: SessionPlace?, after absence: Absence) {
    if !standing.value.isEmpty { standing.send([]) }
    switch place {
    case .waiting: break
    case .playing, .watching:
      if case .betweenGames(let outcome, true) = current.value {
        current.send(.betweenGames(outcome, hasAsked: false))
      }
      match.didReconnect()
    case .lobby, nil:
      if let last = match.last?.match, own == nil, place == nil {
        watchAgain(last)
      } else if match.last != nil {
        matchDidVanish(after: absence)
      } else if current.value != .lobby {
        current.send(.lobby)
        noticeSource.send("The wish for a game is gone with the connection; ask again.")
        listener?.playDidNotStart(.cancelled)
      }
    }
  }

  /// The session is over, with all that belongs to it; nobody is told.
  func end() {
    match.forget()
    standing.send([])
    didLeaveMatch()
  }

  /// What is lost with the match, as a sentence; `nil` where there is none.
  func loss(after absence: Absence) -> String? {
    guard match.last != nil, let players = scoreStream.latest?.players else { return nil }
    guard let own else { return "The match that you watched is over." }
    let reason =
      switch absence {
      case .short: "it ended while the connection was lost."
      case .tooLong: "you were away for too long."
      }
    return "Your match with \(players[own.other].name) is over: \(reason)"
  }

  /// Spectators are not waited for.
  private func watchAgain(_ id: String) {
    match.didReconnect()
    link.send(.watch(match: id)) { [weak self] answer in
      if case .error = answer { self?.matchDidVanish() }
    }
  }
}

/// What the server tells.
extension RemoteSession {
  func receive(_ received: ReceivedEvent) {
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
    case .matchSnapshot(let snapshot):
      match.receive(snapshot)
    case .didLeave:
      match.forget()
      didLeaveMatch()
      listener?.playDidEndMatch()
    case .hello, .bye, .didLogin, .matches, .players, .games, .pong, .help, .unknown:
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
    case .watching:
      return
    }
    listener?.playDidNotStart(.cancelled)
  }
}

extension RemoteSession: RemoteMatchListener {
  func match(didStart picture: GamePicture) {
    let series = Series(
      picture.players.map { $0 == Player.botName ? .bot : .person($0) }, score: picture.score)
    if picture.you != nil { endInvitations(among: picture.players) }
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
      current.send(own == nil ? .watching(outcome) : .betweenGames(outcome, hasAsked: false))
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

  func matchDidNotAnswer() {
    noticeSource.send(noAnswer)
  }

  func matchDidVanish() {
    matchDidVanish(after: .short)
  }

  private func matchDidVanish(after absence: Absence) {
    let loss = loss(after: absence)
    match.forget()
    didLeaveMatch()
    // First the lobby comes, which shows the notice.
    listener?.playDidEndMatch()
    if let loss { noticeSource.send(loss) }
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
