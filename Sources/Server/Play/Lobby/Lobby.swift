import Shared

/// What the lobby needs of its process.
struct LobbyContext {
  let random: RandomSource
  let timers: any Timers
  let serverLog: ServerLog
}

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
  /// For players who were away when the operator disconnected them.
  var notices = KickNotices()
  /// The greeting of the options; that of the operator takes its place.
  private(set) var motd: String?
  let moderation: Moderation
  let matches: MatchRegistry
  let others: any OtherServers
  private let random: RandomSource
  let timers: any Timers
  private var chatRate: TokenBucket?
  private let serverLog: ServerLog
  private let lists: ListCache
  let matchmaker: Matchmaker
  private var sessions = SessionRegistry()
  private var logins = 0
  /// The number of players whose connection is lost, and who may resume.
  private(set) var lostCount = 0

  init(
    games: GameRegistry, matches: MatchRegistry, directory: any Directory,
    settings: ServerSettings, moderation: Moderation = Moderation(), others: any OtherServers,
    context: LobbyContext
  ) {
    self.moderation = moderation
    self.others = others
    self.games = games
    self.directory = directory
    self.matches = matches
    timers = context.timers
    chatRate = settings.limits.chatRate
    motd = settings.motd
    lists = ListCache(timers: timers)
    matchmaker = Matchmaker(
      timers: timers, random: context.random, inviteWithin: settings.inviteWithin)
    random = context.random
    serverLog = context.serverLog
    matchmaker.onPair = { [unowned self] in onPair($0, $1, .hard) }
    matchmaker.mayPair = { [unowned self] in !isShuttingDown && matches.hasRoom }
  }

  // Breaks the cycles between sessions and their connections.
  deinit { for session in allSessions { session.outlet = nil } }

  /// All sessions in the order of their logins.
  var allSessions: [Session] { sessions.all }

  /// Returns the session of the player with a name; `nil` if nobody has it.
  func session(named name: String) -> Session? {
    PlayerName.key(of: name).flatMap { sessions[$0] }
  }

  /// Whether a session with an id is here.
  func hasSession(_ id: String) -> Bool { allSessions.contains { $0.id == id } }

  /// Takes up other settings, for new sessions and invitations. Another greeting is
  /// for those who log in from now on, unless the operator has set one.
  func apply(_ settings: ServerSettings) {
    chatRate = settings.limits.chatRate
    matchmaker.inviteWithin = settings.inviteWithin
    motd = settings.motd
  }

  /// Returns the reply to `list` as a line without `re`. With `hasReplyID` the line has room for
  /// it. `others` are the lists of the other servers.
  func list(_ what: Listing, hasReplyID: Bool, with others: [Event] = []) -> [UInt8] {
    lists.line(what, hasReplyID: hasReplyID) {
      others.reduce(items(what)) { $0.joined(with: $1) }
    }
  }

  /// Returns the players, matches or games of this server.
  func items(_ what: Listing) -> Event {
    switch what {
    case .players:
      let first = sessions.first(ListCache.maxPlayers).map { $0.summary(directory) }
      return .players(Page(first, more: sessions.count - first.count))
    case .matches: return .matches(matches.summaries(limit: ListCache.maxMatches))
    case .games: return .games(Page(games.games.map { GameSummary($0.info) }))
    }
  }

  func match(_ id: String) -> (any Match)? { matches[id] }

  /// Returns a name for a new session. Without a text, or with a blank one, it is the lowest free
  /// `Player N`.
  ///
  /// - Throws: `badName`.
  func name(from name: String?) throws(CommandError) -> PlayerName {
    guard let name, !PlayerName.isBlank(name) else { return sessions.freeNumberedName }
    let chosen: PlayerName
    do throws(PlayerNameError) {
      chosen = try PlayerName(name)
    } catch {
      throw CommandError(.badName, field: "name")
    }
    try checkIsNotBanned(chosen)
    return chosen
  }

  /// - Throws: `nameTaken`.
  func checkIsFree(_ name: PlayerName) throws(CommandError) {
    guard sessions[name.key] == nil else { throw .nameTaken }
  }

  /// Returns any `Player N` with a number below a limit, where another server has the lowest free
  /// one.
  func randomName(below limit: Int) -> PlayerName {
    var random = random
    return (try? PlayerName("Player \(Int.random(in: 1..<limit, using: &random))"))
      ?? sessions.freeNumberedName
  }

  /// Begins a session with a name that was free, possibly some time ago. A
  /// registered name needs the result of its password check; the session has the name as it was
  /// registered. `id` is that of the session in a cluster, where the account was loaded before.
  ///
  /// - Throws: `nameTaken` or `wrongPassword`.
  func login(
    as name: PlayerName, _ check: PasswordCheck?, id: String = "", outlet: ClientOutlet
  ) throws(CommandError) -> Session {
    try checkIsNotBanned(name)
    guard sessions[name.key] == nil else { throw CommandError.nameTaken }
    var name = name
    if let account = directory.account(of: name) {
      // The password may have been changed during the check.
      guard let check else {
        throw CommandError.passwordIsMissing
      }
      guard check.account == account else {
        throw CommandError(.wrongPassword, field: "password")
      }
      name = (try? PlayerName(account.name)) ?? name
    }
    let session = add(name, outlet, id: id)
    session.hasLoadedAccount = true
    if session.isLogged {
      serverLog.log.write(
        .info, "loggedIn", ["connection": .number(outlet.id), "session": .text(name.text)])
    } else {
      outlet.usage.countInLog(.loggedIn)
    }
    return session
  }

  /// Returns the session of a registered name whose connection is lost in a match. Whoever has the
  /// password may go on with it. `nil` if there is none here.
  func lostSession(of name: PlayerName) -> Session? {
    guard let session = sessions[name.key], session.outlet == nil, case .playing = session.place,
      directory.account(of: session.name) != nil
    else { return nil }
    return session
  }

  /// Makes the tokens of a lost session useless: only the password of its name resumes it.
  func replaceTokens(of session: Session) {
    // The token before the last one is valid, too.
    for _ in 1...2 {
      sessions.renewToken(of: session, resumedWith: session.token, to: Token(random))
    }
    if case .playing(let match) = session.place { match.tokensDidChange(of: session) }
  }

  /// Makes the session of a player again whose match goes on from a store. The player is lost until
  /// `resume`. Returns `nil` if the name is taken, or is not allowed any more.
  func restore(_ player: StoredPlayer) -> Session? {
    guard let name = try? PlayerName(player.name), sessions[name.key] == nil else { return nil }
    let session = add(name, nil, id: player.id ?? "", storedTokens: player.tokens)
    loadAccount(of: session)
    return session
  }

  /// Takes up a session of another server, whose player is about to resume it. Calls `done` when it
  /// is here, with its account.
  func take(_ player: ArrivingPlayer, done: @escaping () -> Void) {
    guard let name = try? PlayerName(player.name), sessions[name.key] == nil else { return done() }
    loadAccount(of: add(name, nil, id: player.id, storedTokens: player.tokens), done: done)
  }

  /// The account is needed when the player's next game begins.
  private func loadAccount(of session: Session, done: @escaping () -> Void = {}) {
    directory.load(session.name) { [weak self] error in
      defer { done() }
      guard let self, error == nil else { return }
      guard sessions.contains(session) else { return directory.forget(session.name) }
      session.hasLoadedAccount = true
    }
  }

  /// Begins a session; `outlet` is `nil` if the player has to resume it.
  private func add(
    _ name: PlayerName, _ outlet: ClientOutlet?, id: String, storedTokens: [String] = []
  ) -> Session {
    logins += 1
    let session = Session(
      number: logins, id: id, name: name, token: Token(random), outlet: outlet,
      chatRate: chatRate, begin: timers.now)
    session.storedTokens = storedTokens
    sessions.add(session)
    if outlet == nil { lostCount += 1 }
    serverLog.counters.sessions.begin()
    return session
  }

  /// Returns the session that a client may resume with a text; `nil` if there is none here.
  func session(withToken text: String) -> Session? {
    guard let (id, token) = Session.idAndToken(in: text), let session = sessions[token],
      session.id == id, session.canResume(with: token)
    else { return nil }
    return session
  }

  /// Gives a session a new connection and a new token. If its old connection is still open, the old
  /// connection gets `bye` `takenOver` and is closed; otherwise the session's match is informed.
  ///
  /// - Throws: `unknownToken`; `tooFast` if the player has resumed too often.
  func resume(
    _ text: String, on outlet: ClientOutlet
  ) throws(CommandError) -> Session {
    guard let session = session(withToken: text), let (_, token) = Session.idAndToken(in: text)
    else {
      throw CommandError(.unknownToken, field: "token")
    }
    if session.outlet == nil, case .playing(let match) = session.place {
      try match.checkResume(of: session)
    }
    sessions.renewToken(of: session, resumedWith: token, to: Token(random))
    if case .playing(let match) = session.place { match.tokensDidChange(of: session) }
    if let old = session.outlet {
      old.session = nil
      old.close(with: .bye(.takenOver))
    } else {
      lostCount -= 1
      if case .playing(let match) = session.place { match.connectionDidResume(of: session) }
    }
    session.outlet = outlet
    session.move(to: outlet)
    serverLog.counters.resumes += 1
    if outlet.isLogged {
      serverLog.log.write(
        .info, "resumed",
        ["connection": .number(outlet.id), "session": .text(session.name.text)])
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
    session.outlet = nil
    lostCount += 1
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
    others.endSession(session.id, of: session.name)
    remove(session)
  }

  /// Removes a session that ends, or goes on at another server.
  private func remove(_ session: Session) {
    session.place = .lobby
    sessions.remove(session)
    if session.outlet == nil { lostCount -= 1 }
    if session.hasLoadedAccount { directory.forget(session.name) }
    serverLog.counters.sessions.end()
    if session.isLogged {
      serverLog.log.write(.info, "sessionEnded", ["session": .text(session.name.text)])
    }
    matchmaker.cancelRequests(for: session)
    session.outlet = nil
  }

  /// Closes the connection of a session that goes on at another server. With `isDropping`, output
  /// that still waits to be stored is not sent.
  func release(_ session: Session, with bye: Event, isDropping: Bool = false) {
    guard sessions.contains(session) else { return }
    let outlet = session.outlet
    remove(session)
    outlet?.session = nil
    if isDropping { outlet?.dropHeldOutput() }
    outlet?.close(with: bye)
  }

  /// Forgets all sessions, whose connections are closed.
  func removeAllSessions() {
    for session in allSessions {
      session.request?.stop()
      remove(session)
    }
    matchmaker.removeAll()
  }
}
