import Shared

/// Where players log in, and where they are before and after a match. It owns all sessions, and
/// the requests of players who wait for a match.
final class Lobby {
  /// Called to begin a match of two players, by their marks; `nil` is the bot, with its level.
  var onPair: (PerMark<Session?>, Game, BotLevel) -> Void = { _, _, _ in }
  let games: GameRegistry
  let directory: any Directory
  /// While this is true, no game begins.
  var isShuttingDown = false
  /// While this is true, the end of a connection does not matter to its session: the next process
  /// takes up its match.
  var keepsMatches = false
  /// The announcement that the server stops, while it stands.
  var stop: Announcement?
  /// The greeting of the options; that of the operator takes its place.
  private(set) var motd: String?
  let moderation: Moderation
  let matches: MatchRegistry
  private let random: RandomSource
  let timers: any Timers
  private var chatRate: TokenBucket?
  private let serverLog: ServerLog
  private let lists: ListCache
  let matchmaker: Matchmaker
  private var sessions = SessionRegistry()
  private var logins = 0

  init(
    games: GameRegistry, matches: MatchRegistry, directory: any Directory, random: RandomSource,
    timers: any Timers, settings: ServerSettings, serverLog: ServerLog,
    moderation: Moderation = Moderation()
  ) {
    self.moderation = moderation
    self.games = games
    self.directory = directory
    self.matches = matches
    self.timers = timers
    chatRate = settings.limits.chatRate
    motd = settings.motd
    lists = ListCache(timers: timers)
    matchmaker = Matchmaker(timers: timers, random: random, inviteWithin: settings.inviteWithin)
    self.random = random
    self.serverLog = serverLog
    matchmaker.onPair = { [unowned self] in onPair($0, $1, .hard) }
    matchmaker.mayPair = { [unowned self] in !isShuttingDown && matches.hasRoom }
  }

  // Breaks the cycles between sessions and their connections.
  deinit { for session in allSessions { session.connection = nil } }

  /// All sessions in the order of their logins.
  var allSessions: [Session] { sessions.all }

  /// Returns the session of the player with a name; `nil` if nobody has it.
  func session(named name: String) -> Session? {
    PlayerName.key(of: name).flatMap { sessions[$0] }
  }

  /// Takes up other settings, for new sessions and invitations. Another greeting is
  /// for those who log in from now on, unless the operator has set one.
  func apply(_ settings: ServerSettings) {
    chatRate = settings.limits.chatRate
    matchmaker.inviteWithin = settings.inviteWithin
    motd = settings.motd
  }

  /// Returns the reply to `list` as a line without `re`. With `hasReplyID` the line has room for
  /// it.
  func list(_ what: Listing, hasReplyID: Bool) -> [UInt8] {
    lists.line(what, hasReplyID: hasReplyID) {
      switch what {
      case .players:
        let first = sessions.first(ListCache.maxPlayers).map { $0.summary(directory) }
        return .players(Page(first, more: sessions.count - first.count))
      case .matches:
        return .matches(matches.summaries(limit: ListCache.maxMatches))
      case .games: return .games(Page(games.games.map { GameSummary($0.info) }))
      }
    }
  }

  /// Returns the match with an id.
  func match(_ id: String) -> (any Match)? { matches[id] }

  /// Returns a name for a new session. Without a text, or with a blank one, it is the lowest free
  /// `Player N`.
  ///
  /// - Throws: `badName` or `nameTaken`.
  func freeName(_ name: String?) throws(CommandError) -> PlayerName {
    guard let name, !PlayerName.isBlank(name) else { return sessions.freeNumberedName }
    let chosen: PlayerName
    do throws(PlayerNameError) {
      chosen = try PlayerName(name)
    } catch {
      throw CommandError(.badName, field: "name")
    }
    try checkIsNotBanned(chosen)
    guard sessions[chosen.key] == nil else { throw CommandError(.nameTaken, field: "name") }
    return chosen
  }

  /// Begins a session with a name that `freeName` has returned, possibly some time ago. A
  /// registered name needs the result of its password check; the session has the name as it was
  /// registered.
  ///
  /// - Throws: `nameTaken` or `wrongPassword`.
  func login(
    as name: PlayerName, _ check: PasswordCheck?, connection: ClientConnection
  ) throws(CommandError) -> Session {
    try checkIsNotBanned(name)
    guard sessions[name.key] == nil else { throw CommandError(.nameTaken, field: "name") }
    var name = name
    if let account = directory.account(of: name) {
      // The password may have been changed during the check.
      guard let check else {
        throw CommandError(
          .wrongPassword, field: "password",
          "That name is registered. Type: login NAME PASSWORD, or choose another name.")
      }
      guard check.account == account else {
        throw CommandError(.wrongPassword, field: "password")
      }
      name = (try? PlayerName(account.name)) ?? name
    }
    let session = add(name, connection)
    if session.isLogged {
      serverLog.log.write(
        .info, "loggedIn", ["connection": .number(connection.id), "session": .text(name.text)])
    } else {
      connection.usage.countInLog(.loggedIn)
    }
    return session
  }

  /// Makes the session of a player again whose match goes on from a store. The player is lost until
  /// `resume`. Returns `nil` if the name is taken, or is not allowed any more.
  func restore(_ player: StoredPlayer) -> Session? {
    guard let name = try? PlayerName(player.name), sessions[name.key] == nil else { return nil }
    return add(name, nil, storedTokens: player.tokens)
  }

  /// Begins a session; `connection` is `nil` if the player has to resume it.
  private func add(
    _ name: PlayerName, _ connection: ClientConnection?, storedTokens: [String] = []
  ) -> Session {
    logins += 1
    let session = Session(
      number: logins, name: name, token: Token(random), connection: connection, chatRate: chatRate,
      begin: timers.now)
    session.storedTokens = storedTokens
    sessions.add(session)
    serverLog.counters.sessions.begin()
    return session
  }

  /// Gives a session a new connection and a new token. If its old connection is still open, the old
  /// connection gets `bye` `takenOver` and is closed; otherwise the session's match is informed.
  ///
  /// - Throws: `unknownToken`; `tooFast` if the player has resumed too often.
  func resume(
    _ token: String, on connection: ClientConnection
  ) throws(CommandError) -> Session {
    guard let token = Token(token), let session = sessions[token], session.canResume(with: token)
    else {
      throw CommandError(.unknownToken, field: "token")
    }
    if session.connection == nil, case .playing(let match) = session.place {
      try match.checkResume(of: session)
    }
    sessions.renewToken(of: session, resumedWith: token, to: Token(random))
    if case .playing(let match) = session.place { match.tokensDidChange(of: session) }
    if let old = session.connection {
      old.session = nil
      old.close(with: .bye(.takenOver))
    } else if case .playing(let match) = session.place {
      match.connectionDidResume(of: session)
    }
    session.connection = connection
    session.move(to: connection)
    serverLog.counters.resumes += 1
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
    case .lobby, .waiting:
      break
    case .playing(let match), .watching(let match):
      match.sync(after: seq, to: session)
      match.repeatRequests(to: session)
    }
    matchmaker.repeatRequests(to: session)
  }

  /// A connection has ended without `quit`. Its session continues if it plays in a match, and ends
  /// otherwise.
  func connectionDidEnd(of session: Session) {
    session.connection = nil
    guard !keepsMatches else { return }
    guard case .playing(let match) = session.place else { return end(session) }
    match.connectionDidEnd(of: session)
  }

  /// Ends a session and removes it from its match or queue. Its name is free at once.
  func end(_ session: Session) {
    guard sessions.contains(session) else { return }
    switch session.place {
    case .lobby: break
    case .waiting(let request): matchmaker.withdraw(request, of: session)
    case .playing(let match): match.leave(by: session)
    case .watching(let match): match.stopWatching(by: session)
    }
    // The end of the match has ended the session of a lost player.
    guard sessions.contains(session) else { return }
    session.place = .lobby
    sessions.remove(session)
    serverLog.counters.sessions.end()
    if session.isLogged {
      serverLog.log.write(.info, "sessionEnded", ["session": .text(session.name.text)])
    }
    matchmaker.cancelRequests(for: session)
    session.connection = nil
  }
}
