import RIBs
import Shared

/// The match's calls to its router.
protocol LoggedInRouting: Routing {
  /// Builds a game, passes it to `gameWillAttach` and attaches it.
  func attachGame(with setup: GameSetup)
  /// Detaches the running game, whose view is the network. Does nothing between games.
  func cleanupViews()
}

/// The match's calls to the root.
protocol LoggedInListener: AnyObject {
  func gameDidBegin(in match: String)
  /// A game has ended, and its result was sent. The match is still handling that, so do not detach
  /// it in this call.
  func gameDidEnd(in match: String)
  /// The match has ended, and everyone in it has been informed. The root detaches the match within
  /// this call, and ends the sessions of `lost` players. The match does nothing after it.
  func matchDidEnd(_ match: String, lost: [Session])
}

/// A match: two players who are logged in, and one game after another.
final class LoggedInInteractor: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?
  private let info: GameInfo
  /// How well the bot plays in the current game, or in the last one.
  private var level: BotLevel
  private let matches: MatchRegistry
  private let directory: any Directory
  private let channel: MatchChannel
  private let scoreStream: MutableScoreStream
  private let clock: MoveClock?
  private let presence: Presence
  private let spectatorTally: SpectatorCount
  private let maxSpectators: Int?
  private let timers: any Timers
  private let serverLog: ServerLog
  private let counters: GameCounters
  private var state = State.idle
  let begin: Duration
  var position = 0

  private var beginning: Beginning
  /// The players who may have been told more than what was stored.
  private var needSnapshot: [Session] = []
  /// Made when a player resumes for the first time.
  private var resumeLimiter: ResumeRateLimiter?

  /// In an object of its own, because it has six times the size of all else in this class.
  private indirect enum Beginning {
    /// The state in which the match goes on, until it does.
    case stored(StoredMatch)
    case none
  }

  /// Whether a game runs. Only this property records that.
  private enum State {
    /// Before the first game, and after the match.
    case idle
    case running(any GameRouting)
    case betweenGames(Rematch)
  }

  init(
    setup: MatchSetup, parts: MatchParts, matches: MatchRegistry,
    directory: any Directory = GuestDirectory(), maxSpectators: Int?, timers: any Timers,
    serverLog: ServerLog
  ) {
    self.timers = timers
    begin = timers.now
    info = setup.game.info
    level = setup.stored?.level ?? setup.level
    beginning = setup.stored.map(Beginning.stored) ?? .none
    self.matches = matches
    self.directory = directory
    channel = parts.channel
    scoreStream = parts.scoreStream
    clock = parts.clock
    presence = parts.presence
    spectatorTally = SpectatorCount(channel: channel, timers: timers)
    self.maxSpectators = maxSpectators
    self.serverLog = serverLog
    counters = parts.counters
  }

  override func didBecomeActive() {
    matches.add(self)
    serverLog.matchDidBegin(
      channel.match, of: info, between: channel.series.players, counters,
      isLogged: isLogged && stored == nil)
    channel.seats.x?.place = .playing(self)
    channel.seats.o?.place = .playing(self)
    // Both are stopped in willResignActive.
    clock?.onTimeout = { [unowned self] in moveDidTimeOut() }
    presence.onAbandon = { [unowned self] in abandon(by: $0) }
    if let stored { goOn(from: stored) } else { beginMatch() }
  }

  private var stored: StoredMatch? {
    if case .stored(let match) = beginning { match } else { nil }
  }

  private func beginMatch() {
    channel.storeBeginning()
    beginGame()
  }

  /// Goes on where the match was when the process before died.
  private func goOn(from stored: StoredMatch) {
    guard let board = stored.board else { return }
    if stored.isCut { needSnapshot = channel.everyone }
    scoreStream.update(with: channel.series)
    if stored.isRunning {
      serverLog.gameDidBegin(in: channel.match, counters)
      listener?.gameDidBegin(in: channel.match)
      router?.attachGame(
        with: GameSetup(
          series: channel.series, seat: .none, board: board, level: level, hasBegun: true))
    } else {
      state = .betweenGames(
        Rematch(
          after: board, of: info, channel: channel, timers: timers,
          asked: channel.series.order.swapped(stored.asked)))
    }
  }

  override func willResignActive() {
    matches.remove(self)
    serverLog.matchDidEnd(
      inGame: isRunning, spectators: channel.spectators.count, counters)
    state = .idle
    detachGame()
    clock?.stop()
    presence.stop()
    spectatorTally.stop()
    for session in channel.everyone { session.place = .lobby }
  }

  /// The match's line in a report of the tree.
  var detail: String {
    let players = Mark.allCases.map { mark in
      let state =
        switch channel.seats[mark]?.outlet {
        case let outlet?: " (connection \(outlet.id))"
        case nil: channel.seats[mark] == nil ? "" : " (lost)"
        }
      return "\(mark.letter) \(channel.series.players[mark].name)\(state)"
    }
    let between = isRunning ? "" : ", between games"
    return "\(channel.match) \(info.id), \(players.joined(separator: ", ")),"
      + " \(channel.spectators.count) watching\(between)"
  }

  /// Whether one of the players has log lines of their own.
  private var isLogged: Bool {
    Mark.allCases.contains { channel.seats[$0]?.isLogged == true }
  }

  private var isRunning: Bool {
    if case .running = state { return true }
    return false
  }

  private func beginGame() {
    serverLog.gameDidBegin(in: channel.match, counters)
    listener?.gameDidBegin(in: channel.match)
    scoreStream.update(with: channel.series)
    if let accounts { channel.storeAccounts(accounts) }
    router?.attachGame(
      with: GameSetup(series: channel.series, seat: .none, board: info.board, level: level))
  }

  /// The accounts of the players, by their marks; `nil` unless both are registered.
  private var accounts: PerMark<Int>? {
    let accounts = channel.seats.map { $0.flatMap { directory.account(of: $0.name) } }
    guard let x = accounts.x, let o = accounts.o, x.isSettled, o.isSettled else { return nil }
    return PerMark(x: x.id, o: o.id)
  }

  func gameWillAttach(_ game: any GameRouting) {
    state = .running(game)
  }

  private func detachGame() {
    channel.gameListener = nil
    router?.cleanupViews()
  }

  private func end(_ reason: MatchEndReason, by mark: Mark?) {
    let lost = presence.lost
    serverLog.matchWillEnd(
      channel.match, for: reason, by: mark.map { channel.series.players[$0].name },
      isLogged: isLogged)
    channel.send(.matchDidEnd(reason, by: mark, channel.series.score))
    channel.storeEnd()
    listener?.matchDidEnd(channel.match, lost: lost)
  }

  private func moveDidTimeOut() {
    guard case .running(let game) = state, let mark = game.board.turn else { return }
    game.end(.timeout, by: mark)
  }

  /// A lost player has not resumed in time.
  private func abandon(by session: Session) {
    let mark = channel.mark(of: session)
    if case .running(let game) = state { game.end(.abandoned, by: mark) }
    end(.abandoned, by: mark)
  }

  /// Sends a snapshot of the match.
  private func sendSnapshot(to session: Session) {
    guard let board else { return }
    session.write(
      .matchSnapshot(
        MatchSnapshot(
          match: channel.match, seq: channel.seq,
          GameState(
            game: info, series: channel.series, you: channel.seat(of: session), board: board,
            level: channel.seats.x == nil || channel.seats.o == nil ? level : nil,
            timeLeft: clock?.timeLeft),
          online: presence.online, spectators: channel.spectators.count, outcome: board.outcome)))
  }
}

extension LoggedInInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    guard case .running(let game) = state else { return }
    clock?.pause()
    channel.gameDidEnd(with: outcome)
    state = .betweenGames(
      Rematch(after: game.board, of: info, channel: channel, timers: timers))
    scoreStream.update(with: channel.series)
    serverLog.gameDidEnd(
      in: channel.match, with: outcome, between: channel.series.players, counters,
      isLogged: isLogged)
    channel.send(.gameDidEnd(outcome, channel.series.score))
    detachGame()
    listener?.gameDidEnd(in: channel.match)
  }
}

extension LoggedInInteractor: Match {
  var id: String { channel.match }

  var game: String { info.id }

  var board: Board? {
    switch state {
    case .idle: nil
    case .running(let game): game.board
    case .betweenGames(let rematch): rematch.last
    }
  }

  var seq: Int { channel.seq }

  var sessions: [Session] { channel.everyone }

  var spectatorCount: Int { channel.spectators.count }

  var summary: MatchSummary {
    MatchSummary(
      match: channel.match, game: info.id, players: channel.series.players.map(\.name),
      isRunning: isRunning, score: channel.series.score.games > 0 ? channel.series.score : nil)
  }

  func start(
    by session: Session, opponent: String?, game: String?, level: BotLevel?
  ) throws(CommandError) {
    guard case .betweenGames(let rematch) = state else { throw CommandError(.inMatch) }
    guard try rematch.ask(by: session, opponent: opponent, game: game) else { return }
    if let level { self.level = level }
    channel.swapMarks()
    beginGame()
  }

  func cancel(by session: Session) throws(CommandError) {
    guard case .betweenGames(let rematch) = state else { throw CommandError(.notWaiting) }
    try rematch.cancel(by: session)
  }

  func decline(_ opponent: String?, by session: Session) throws(CommandError) -> Bool {
    guard case .betweenGames(let rematch) = state else { return false }
    return try rematch.decline(opponent, by: session)
  }

  func place(at cell: Cell, seq: Int?, by session: Session) throws(CommandError) {
    guard isRunning else { throw CommandError(.noGame) }
    if let seq, !channel.isCurrent(seq) {
      session.write(.error(.stale))
      return sync(after: seq, to: session)
    }
    channel.place(at: cell, by: session)
  }

  func resign(by session: Session) throws(CommandError) {
    guard isRunning else { throw CommandError(.noGame) }
    channel.resign(by: session)
  }

  func leave(by session: Session) {
    let mark = channel.mark(of: session)
    // A match against the bot does not count: nobody else is affected.
    if channel.isUntouched, channel.seats[mark.other] != nil {
      session.earlyLeaves.add(at: timers.now)
    }
    if case .running(let game) = state { game.end(.left, by: mark) }
    end(.left, by: mark)
  }

  func shutDown() {
    end(.shutdown, by: nil)
  }

  var hasRoom: Bool { channel.spectators.count < maxSpectators ?? .max }

  func watch(by session: Session) {
    channel.add(spectator: session)
    serverLog.counters.spectators += 1
    session.place = .watching(self)
    sendSnapshot(to: session)
    spectatorTally.didChange()
  }

  func stopWatching(by session: Session) {
    channel.remove(spectator: session)
    serverLog.counters.spectators -= 1
    session.place = .lobby
    session.write(.didLeave)
    spectatorTally.didChange()
  }

  /// Sends nothing to players who have not read earlier messages. Slow spectators do not delay the
  /// chat.
  func say(_ text: String, by session: Session) throws(CommandError) {
    // Chat of spectators must not delay a move.
    let maxUnsent =
      channel.seat(of: session) == nil ? ClientOutlet.chatLimit : ClientOutlet.softLimit
    for mark in Mark.allCases where channel.seats[mark] !== session {
      try channel.seats[mark]?.checkUnsent(upTo: maxUnsent)
    }
    try session.checkChatRate(at: timers.now)
    guard matches.storeHasRoom else { throw .storeFull }
    channel.send(
      .didSay(from: session.name.text, mark: channel.seat(of: session), text: text))
  }

  func sync(after seq: Int?, to session: Session) {
    if needSnapshot.contains(where: { $0 === session }) {
      needSnapshot.removeAll { $0 === session }
      return sendSnapshot(to: session)
    }
    if let seq, channel.sendMissed(after: seq, to: session) { return }
    sendSnapshot(to: session)
  }

  func connectionsDidEnd() {
    guard let stored else { return }
    beginning = .none
    let online = channel.series.order.swapped(stored.online)
    for mark in Mark.allCases {
      // The match ends here if players cannot resume.
      guard isActive, let session = channel.seats[mark] else { continue }
      if online[mark] { connectionDidEnd(of: session) } else { presence.wait(for: session) }
    }
  }

  func accountWillEnd() {
    if isRunning { channel.storeAccounts(nil) }
  }

  func tokensDidChange(of session: Session) {
    channel.storeTokens(of: session)
  }

  func connectionDidEnd(of session: Session) {
    presence.connectionDidEnd(of: session)
  }

  func checkResume(of session: Session) throws(CommandError) {
    let rates = resumeLimiter ?? ResumeRateLimiter()
    resumeLimiter = rates
    try rates.check(channel.mark(of: session), at: timers.now)
  }

  func connectionDidResume(of session: Session) {
    presence.connectionDidResume(of: session)
  }

  func repeatRequests(to session: Session) {
    spectatorTally.repeat(to: session)
    guard channel.seat(of: session) != nil, case .betweenGames(let rematch) = state else { return }
    rematch.repeatRequests(to: session)
  }
}
