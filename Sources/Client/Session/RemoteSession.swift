import Shared

/// Where a person who is logged in stands at a server, by what is told there.
final class RemoteSession {
  /// How many invitations are kept, the first ones; where the protocol is kept, 20 stand at most.
  static let maxInvitations = 100

  weak var listener: (any PlayListener)? { didSet { wishes.listener = listener } }
  /// What the person asks for.
  let wishes: RemoteWishes
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
    wishes = RemoteWishes(link: link, notices: noticeSource)
    match.listener = self
  }

  /// Tells the person something that no event has told.
  func notify(_ sentence: String) {
    noticeSource.send(sentence)
  }

  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { standing.stream }
  var notices: Stream<String> { noticeSource.stream }
  var news: Stream<MatchNews> { match.news.stream }
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
    wishes.isOnline = true
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
      let invitation = Invitation(from: from, game: game)
      let isNew = !standing.value.contains(invitation)
      guard isNew, standing.value.count < Self.maxInvitations else { return }
      standing.send(standing.value + [invitation])
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
  func match(didStart picture: GameState) {
    let series = Series(
      picture.players.map { $0 == Player.botName ? .bot : .person($0) }, score: picture.score)
    if picture.you != nil { endInvitations(among: picture.players) }
    own = picture.you
    scoreStream.update(with: series)
    guard let game = games[picture.game], game.info.shape == picture.board.shape else {
      wishes.leaveMatch()
      // First the lobby comes, which shows the notice.
      listener?.playDidEndMatch()
      noticeSource.send("The server began a game that cannot be played here: \(picture.game).")
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
    noticeSource.send(RemoteWishes.noAnswer)
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
