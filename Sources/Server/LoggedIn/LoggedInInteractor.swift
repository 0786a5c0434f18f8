import Shared

/// What the match asks of its router.
protocol LoggedInRouting: Routing {
  /// The match as a line of a list.
  var listed: ListedMatch { get }
  /// The running game; `nil` between games.
  var currentGame: (any GameRouting)? { get }
  func attachGame(with setup: GameSetup)
  /// Takes a running game, whose view is the network, away.
  func cleanupViews()
  /// Ends the match because the server stops.
  func shutDown()
}

/// What the match tells the root.
protocol LoggedInListener: AnyObject {
  /// All players have been told. The root detaches the match within this call: nothing follows it.
  func matchDidEnd(_ match: String)
}

/// A match: two players who are logged in, and one game after another.
final class LoggedInInteractor: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?
  private let info: GameInfo
  private let channel: MatchChannel
  private let scoreStream: MutableScoreStream
  private var series: Series
  private var phase = Phase.running

  private enum Phase {
    case running
    /// Who has asked for the next game.
    case betweenGames(asked: PerMark<Bool>)
  }

  init(game: GameInfo, channel: MatchChannel, scoreStream: MutableScoreStream) {
    info = game
    self.channel = channel
    self.scoreStream = scoreStream
    series = Series(channel.seats.map { $0.map { .person($0.name.text) } ?? .bot })
  }

  override func didBecomeActive() {
    channel.seats.x?.place = .playing(self)
    channel.seats.o?.place = .playing(self)
    beginGame()
  }

  override func willResignActive() {
    router?.cleanupViews()
    channel.seats.x?.place = .lobby
    channel.seats.o?.place = .lobby
  }

  var listed: ListedMatch {
    ListedMatch(
      match: channel.match, game: info.id, players: series.players.map(\.name),
      isRunning: isRunning)
  }

  func shutDown() {
    end(.shutdown, by: nil)
  }

  private var isRunning: Bool {
    if case .running = phase { return true }
    return false
  }

  private func beginGame() {
    phase = .running
    scoreStream.update(with: series)
    router?.attachGame(
      with: GameSetup(series: series, seat: .none, board: Board(info.shape)))
  }

  private func end(_ reason: MatchEndReason, by mark: Mark?) {
    channel.send(.matchDidEnd(reason, by: mark, series.score))
    listener?.matchDidEnd(channel.match)
  }

  /// Tells one player how the running game stands, in place of events.
  private func sendSnapshot(to session: Session) {
    guard let board = router?.currentGame?.board else { return }
    session.write(
      .matchSnapshot(
        MatchSnapshot(
          match: channel.match, seq: channel.seq,
          GamePicture(game: info, series: series, you: channel.mark(of: session), board: board),
          online: PerMark(x: true, o: true), outcome: nil)))
  }
}

extension LoggedInInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    series.gameDidEnd(with: outcome)
    phase = .betweenGames(asked: PerMark(x: false, o: false))
    scoreStream.update(with: series)
    channel.send(.gameDidEnd(outcome, series.score))
    router?.cleanupViews()
  }
}

extension LoggedInInteractor: Match {
  var game: String { info.id }

  func start(
    by session: Session, opponent: String?, game: String?
  ) throws(CommandError) {
    guard case .betweenGames(var asked) = phase else { throw CommandError(.inMatch) }
    let mark = channel.mark(of: session)
    let other = mark.other
    guard !asked[mark] else { throw CommandError(.alreadyWaiting) }
    let name = series.players[other].name
    if let opponent, PlayerName.key(of: opponent) != PlayerName.key(of: name) {
      throw CommandError(
        .inMatch, field: "opponent",
        "This match is against \(name). For its next game type: start; to get out, type: leave")
    }
    if let game, game != info.id {
      throw CommandError(
        .inMatch, field: "game",
        "This match is of \(info.name). For its next game type: start; to get out, type: leave")
    }
    guard let opponent = channel.seats[other], !asked[other] else {
      series.changeMarks()
      channel.changeSeats()
      return beginGame()
    }
    try opponent.checkThatItReads()
    asked[mark] = true
    phase = .betweenGames(asked: asked)
    session.write(.didQueue(game: info.id, opponent: nil))
    opponent.write(.invited(from: session.name.text, game: info.id))
  }

  func cancel(by session: Session) throws(CommandError) {
    let mark = channel.mark(of: session)
    guard case .betweenGames(var asked) = phase, asked[mark] else {
      throw CommandError(.notWaiting)
    }
    asked[mark] = false
    phase = .betweenGames(asked: asked)
    session.write(.didCancel)
    channel.seats[mark.other]?.write(
      .invitationDidEnd(from: session.name.text, game: info.id))
  }

  func place(at cell: Cell, seq: Int?, by session: Session) throws(CommandError) {
    guard let game = channel.game, isRunning else { throw CommandError(.noGame) }
    if let seq, !channel.isCurrent(seq) {
      session.write(.error(.stale))
      if !channel.sendMissed(after: seq, to: session) { sendSnapshot(to: session) }
      return
    }
    game.place(at: cell, by: channel.mark(of: session))
  }

  func resign(by session: Session) throws(CommandError) {
    guard let game = channel.game, isRunning else { throw CommandError(.noGame) }
    game.resign(by: channel.mark(of: session))
  }

  func leave(by session: Session) {
    let mark = channel.mark(of: session)
    router?.currentGame?.end(.left, by: mark)
    end(.left, by: mark)
  }
}
