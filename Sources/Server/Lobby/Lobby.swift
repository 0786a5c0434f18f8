import Foundation
import Shared

/// All sessions, by name and by token.
final class Lobby {
  /// Called to begin a match of two players, by their marks; `nil` is the bot, with its level.
  var onPair: (PerMark<Session?>, Game, BotLevel) -> Void = { _, _, _ in }
  let games: GameRegistry
  /// While this is true, no game begins.
  var isShuttingDown = false
  private let matches: MatchRegistry
  private let random: RandomSource
  private let chatRate: TokenBucket?
  private let serverLog: ServerLog
  private let lists: ListCache
  private let matchmaker: Matchmaker
  private var sessions: [ExactText: Session] = [:]
  private var tokens: [Token: Session] = [:]
  private var roster = SlotList<Session>()
  private var logins = 0
  /// The `N` of each taken name `Player N`.
  private var numbers = IndexSet()

  /// `chatRate` limits how often a session may chat; `nil` means no limit.
  init(
    games: GameRegistry, matches: MatchRegistry, random: RandomSource, timers: any Timers,
    chatRate: TokenBucket?, serverLog: ServerLog
  ) {
    self.games = games
    self.matches = matches
    self.chatRate = chatRate
    lists = ListCache(timers: timers)
    matchmaker = Matchmaker(timers: timers)
    self.random = random
    self.serverLog = serverLog
    matchmaker.onPair = { [unowned self] in onPair($0, $1, .hard) }
    matchmaker.mayPair = { [unowned self] in !isShuttingDown && matches.hasRoom }
  }

  // Breaks the cycles between sessions and their connections.
  deinit { for session in allSessions { session.connection = nil } }

  /// All sessions in the order of their logins.
  var allSessions: [Session] { roster.elements }

  /// Returns the reply to `list` as a line without `re`. With `hasReplyID` the line has room for
  /// it.
  func list(_ what: Listing, hasReplyID: Bool) -> [UInt8] {
    lists.line(what, hasReplyID: hasReplyID) {
      switch what {
      case .players:
        let first = roster.prefix(ListCache.maxPlayers).map(\.summary)
        return .players(Page(first, more: roster.count - first.count))
      case .matches:
        return .matches(matches.summaries(limit: ListCache.maxMatches))
      case .games: return .games(Page(games.games.map { GameSummary($0.info) }))
      }
    }
  }

  /// Returns the match with an id.
  func match(_ id: String) -> (any Match)? { matches[id] }

  /// Begins a session. Without a name, or with a blank one, it gets the lowest free `Player N`.
  ///
  /// - Throws: `badName` or `nameTaken`.
  func login(
    name: String?, connection: ClientConnection
  ) throws(CommandError) -> Session {
    let name = try freeName(name)
    logins += 1
    let session = Session(
      number: logins, name: name, token: Token(random), connection: connection, chatRate: chatRate)
    sessions[name.key] = session
    tokens[session.token] = session
    if let number = number(of: name) { numbers.insert(number) }
    session.position = roster.append(session)
    serverLog.counters.sessions.begin()
    if session.isLogged {
      serverLog.log.write(
        .info, "loggedIn", ["connection": .number(connection.id), "session": .text(name.text)])
    } else {
      connection.usage.countInLog(.loggedIn)
    }
    return session
  }

  /// Gives a session a new connection and a new token. If its old connection is still open, the old
  /// connection gets `bye` `takenOver` and is closed; otherwise the session's match is informed.
  ///
  /// - Throws: `unknownToken`; `tooFast` if the player has resumed too often.
  func resume(
    _ token: String, on connection: ClientConnection
  ) throws(CommandError) -> Session {
    guard let token = Token(token), let session = tokens[token], session.canResume(with: token)
    else {
      throw CommandError(.unknownToken, field: "token")
    }
    if session.connection == nil, case .playing(let match) = session.place {
      try match.checkResume(of: session)
    }
    if token == session.token {
      if let spent = session.spentToken { tokens[spent] = nil }
      session.spentToken = token
    } else {
      tokens[session.token] = nil
    }
    session.token = Token(random)
    tokens[session.token] = session
    if let old = session.connection {
      old.session = nil
      old.close(with: .bye(.takenOver))
    } else if case .playing(let match) = session.place {
      match.connectionDidResume(of: session)
    }
    session.connection = connection
    session.move(to: connection.usage)
    if connection.isLogged {
      serverLog.log.write(
        .info, "resumed",
        ["connection": .number(connection.id), "session": .text(session.name.text)])
    }
    return session
  }

  /// Sends a resumed session its current state: its match, its own request, and the requests of
  /// others for it.
  func bringUpToDate(_ session: Session, after seq: Int?) {
    switch session.place {
    case .lobby:
      break
    case .waiting(let request):
      session.write(.didQueue(game: request.game.info.id, opponent: request.opponent?.name.text))
    case .playing(let match):
      match.sync(after: seq, to: session)
      match.repeatRequests(to: session)
    case .watching(let match):
      match.sync(after: seq, to: session)
    }
    for requester in session.incomingRequests {
      guard case .waiting(let request) = requester.place else { continue }
      session.write(.invited(from: requester.name.text, game: request.game.info.id))
    }
  }

  /// A connection has ended without `quit`. Its session continues if it plays in a match, and ends
  /// otherwise.
  func connectionDidEnd(of session: Session) {
    session.connection = nil
    guard case .playing(let match) = session.place else { return end(session) }
    match.connectionDidEnd(of: session)
  }

  /// Ends a session and removes it from its match or queue. Its name is free at once.
  func end(_ session: Session) {
    guard sessions[session.name.key] === session else { return }
    switch session.place {
    case .lobby: break
    case .waiting(let request): matchmaker.withdraw(request, of: session)
    case .playing(let match): match.leave(by: session)
    case .watching(let match): match.stopWatching(by: session)
    }
    session.place = .lobby
    sessions[session.name.key] = nil
    tokens[session.token] = nil
    if let spent = session.spentToken { tokens[spent] = nil }
    if let number = number(of: session.name) { numbers.remove(number) }
    roster.remove(at: session.position) { $0.position = $1 }
    serverLog.counters.sessions.end()
    if session.isLogged {
      serverLog.log.write(.info, "sessionEnded", ["session": .text(session.name.text)])
    }
    matchmaker.cancelRequests(for: session)
    session.connection = nil
  }

  /// Checks whether `start` may begin a game. In a match it needs no new match.
  ///
  /// - Throws: `shuttingDown`; `full` if there is no room for one more match.
  func checkStart(by session: Session?) throws(CommandError) {
    guard !isShuttingDown else { throw CommandError(.shuttingDown) }
    if case .playing = session?.place { return }
    guard matches.hasRoom else { throw .noRoom }
    guard let session, case .lobby = session.place, !session.usage.hasRoomForMatch else { return }
    throw CommandError(
      .full, "Your address has too many matches. Try again later.", retry: .seconds(5)
    )
  }

  /// Checks that only a `start` against the bot has a level.
  ///
  /// - Throws: `badField`.
  static func check(_ level: BotLevel?, for opponent: String?) throws(CommandError) {
    guard level != nil, opponent.flatMap(PlayerName.key(of:))?.text != Player.botName else {
      return
    }
    throw CommandError(
      .badField, field: "level", "level is only for the opponent bot. Type: start bot GAME LEVEL")
  }

  /// Asks for a game for a player who is in the lobby.
  ///
  /// - Throws: `unknownGame`, `unknownPlayer`, `inMatch` if the opponent is in a match, and
  ///   `tooFast` if the opponent has unread messages or too many invitations.
  func start(
    by session: Session, opponent: String?, game: String?, level: BotLevel? = nil
  ) throws(CommandError) {
    guard let game = games[game ?? Command.defaultGame] else {
      throw CommandError(.unknownGame, field: "game")
    }
    guard let opponent else { return try matchmaker.start(by: session, for: nil, game) }
    let key = PlayerName.key(of: opponent)
    if key?.text == Player.botName {
      onPair(PerMark(x: session, o: nil), game, level ?? .hard)
      return
    }
    guard let key, let named = sessions[key] else {
      throw CommandError(.unknownPlayer, field: "opponent")
    }
    guard named !== session else {
      throw CommandError(
        .unknownPlayer, field: "opponent",
        "You cannot play yourself. To see who else is here, type: list")
    }
    switch named.place {
    case .lobby, .waiting:
      try matchmaker.start(by: session, for: named, game)
    case .playing, .watching:
      throw CommandError(
        .inMatch, field: "opponent",
        "\(named.name.text) is in a match. Try again later, or play with anyone: start")
    }
  }

  /// Cancels the request of a waiting player.
  func cancel(_ request: PendingRequest, of session: Session) {
    matchmaker.withdraw(request, of: session)
    session.place = .lobby
    session.write(.didCancel)
  }

  private func freeName(_ name: String?) throws(CommandError) -> PlayerName {
    guard let name, !PlayerName.isBlank(name) else { return numberedName() }
    let chosen: PlayerName
    do throws(PlayerNameError) {
      chosen = try PlayerName(name)
    } catch {
      throw CommandError(.badName, field: "name")
    }
    guard sessions[chosen.key] == nil else { throw CommandError(.nameTaken, field: "name") }
    return chosen
  }

  private func numberedName() -> PlayerName {
    let fromOne = numbers.rangeView.first.flatMap { $0.lowerBound == 1 ? $0 : nil }
    do throws(PlayerNameError) {
      return try PlayerName("Player \(fromOne?.upperBound ?? 1)")
    } catch {
      preconditionFailure("Player N must be a valid name for every N: \(error).")
    }
  }

  /// Returns the `N` of a `Player N`; `nil` for other names, also for `Player 01`.
  private func number(of name: PlayerName) -> Int? {
    let key = name.key.text
    guard key.utf8.starts(with: "player ".utf8), let number = Int(key.dropFirst(7)), number > 0,
      key == "player \(number)"
    else { return nil }
    return number
  }
}
