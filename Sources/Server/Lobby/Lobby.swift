import Foundation
import Shared

/// All sessions, by name and by token.
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
  private var stop: Announcement?
  /// The greeting of the options; that of the operator takes its place.
  private var motd: String?
  let moderation: Moderation
  private let matches: MatchRegistry
  private let random: RandomSource
  private let timers: any Timers
  private var chatRate: TokenBucket?
  private let serverLog: ServerLog
  private let lists: ListCache
  private let matchmaker: Matchmaker
  private var sessions: [ExactText: Session] = [:]
  private var tokens: [Token: Session] = [:]
  /// By the hashes of tokens that a process before has given out.
  private var storedTokens: [String: Session] = [:]
  private var roster = SlotList<Session>()
  private var logins = 0
  /// The `N` of each taken name `Player N`.
  private var numbers = IndexSet()

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
  var allSessions: [Session] { roster.elements }

  /// Takes up other settings, for new sessions and invitations. Another greeting is
  /// for those who log in from now on, unless the operator has set one.
  func apply(_ settings: ServerSettings) {
    chatRate = settings.limits.chatRate
    matchmaker.inviteWithin = settings.inviteWithin
    motd = settings.motd
  }

  /// Tells everyone who is logged in, and who logs in later, that the server stops within a time.
  func announceStop(within time: Duration) {
    let announcement = Announcement.stop(at: timers.now + time)
    stop = announcement
    announce(announcement)
  }

  /// Tells everyone who is logged in that the server does not stop.
  func withdrawStop() {
    guard stop != nil else { return }
    stop = nil
    announce(.goesOn)
  }

  /// Tells everyone who is logged in a text of the operator.
  func announce(_ text: String) {
    // With the time that is left, so that nobody believes that the server does not stop.
    announce(Announcement(text: text, end: stop?.end))
  }

  private func announce(_ announcement: Announcement) {
    for session in allSessions { session.write(announcement.event(at: timers.now)) }
  }

  /// How long the server may go on; `nil` if no stop is announced.
  var timeUntilStop: Duration? { stop?.end.map { max(.zero, $0 - timers.now) } }

  /// Returns the reply to `list` as a line without `re`. With `hasReplyID` the line has room for
  /// it.
  func list(_ what: Listing, hasReplyID: Bool) -> [UInt8] {
    lists.line(what, hasReplyID: hasReplyID) {
      switch what {
      case .players:
        let first = roster.prefix(ListCache.maxPlayers).map { $0.summary(directory) }
        return .players(Page(first, more: roster.count - first.count))
      case .matches:
        return .matches(matches.summaries(limit: ListCache.maxMatches))
      case .games: return .games(Page(games.games.map { GameSummary($0.info) }))
      }
    }
  }

  /// Returns the match with an id.
  func match(_ id: String) -> (any Match)? { matches[id] }

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
    logins += 1
    let session = Session(
      number: logins, name: name, token: Token(random), connection: connection, chatRate: chatRate,
      begin: timers.now)
    add(session)
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
    logins += 1
    let session = Session(
      number: logins, name: name, token: Token(random), connection: nil, chatRate: chatRate,
      begin: timers.now)
    session.storedTokens = player.tokens
    for token in player.tokens { storedTokens[token] = session }
    add(session)
    return session
  }

  private func add(_ session: Session) {
    sessions[session.name.key] = session
    tokens[session.token] = session
    if let number = number(of: session.name) { numbers.insert(number) }
    session.position = roster.append(session)
    serverLog.counters.sessions.begin()
  }

  /// The session that a token may resume.
  private func session(_ token: Token) -> Session? {
    if let session = tokens[token] { return session }
    return storedTokens.isEmpty ? nil : storedTokens[token.hash]
  }

  /// From now on, the session has the token of this process.
  private func removeStoredTokens(of session: Session) {
    for token in session.storedTokens { storedTokens[token] = nil }
    session.storedTokens = []
  }

  /// Gives a session a new connection and a new token. If its old connection is still open, the old
  /// connection gets `bye` `takenOver` and is closed; otherwise the session's match is informed.
  ///
  /// - Throws: `unknownToken`; `tooFast` if the player has resumed too often.
  func resume(
    _ token: String, on connection: ClientConnection
  ) throws(CommandError) -> Session {
    guard let token = Token(token), let session = session(token), session.canResume(with: token)
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
    if !session.storedTokens.isEmpty {
      removeStoredTokens(of: session)
      session.spentToken = token
      tokens[token] = session
    }
    session.token = Token(random)
    tokens[session.token] = session
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

  /// The text with which everyone is greeted; `nil` for none.
  var greeting: String? {
    guard let text = moderation.motd ?? motd, !text.isEmpty else { return nil }
    return text
  }

  /// Sends the announcement that stands, if there is one, to a session that has just logged in or
  /// resumed.
  func greet(_ session: Session) {
    guard let announcement = stop ?? greeting.map({ Announcement(text: $0, end: nil) }) else {
      return
    }
    session.write(announcement.event(at: timers.now))
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
    guard sessions[session.name.key] === session else { return }
    switch session.place {
    case .lobby: break
    case .waiting(let request): matchmaker.withdraw(request, of: session)
    case .playing(let match): match.leave(by: session)
    case .watching(let match): match.stopWatching(by: session)
    }
    // The end of the match has ended the session of a lost player.
    guard sessions[session.name.key] === session else { return }
    session.place = .lobby
    sessions[session.name.key] = nil
    tokens[session.token] = nil
    if let spent = session.spentToken { tokens[spent] = nil }
    removeStoredTokens(of: session)
    if let number = number(of: session.name) { numbers.remove(number) }
    roster.remove(at: session.position) { $0.position = $1 }
    serverLog.counters.sessions.end()
    if session.isLogged {
      serverLog.log.write(.info, "sessionEnded", ["session": .text(session.name.text)])
    }
    matchmaker.cancelRequests(for: session)
    session.connection = nil
  }

  /// Checks whether `start`, `open` or `join` may begin a game. In a match, `start` needs no new
  /// match, but the next game needs room in the store as well.
  ///
  /// - Throws: `shuttingDown`; `full` if there is no room for one more match, or game.
  func checkStart(by session: Session?) throws(CommandError) {
    guard !isShuttingDown else { throw CommandError(.shuttingDown) }
    guard matches.storeHasRoom else { throw .diskFull }
    if case .playing = session?.place { return }
    guard matches.hasRoom else { throw .noRoom }
    guard let session, case .lobby = session.place, !session.usage.hasRoomForMatch else { return }
    throw CommandError(
      .full, "Your address has too many matches. Try again later.", retry: .seconds(5)
    )
  }

  /// Checks that a `start` with a level is against the bot.
  ///
  /// - Throws: `badField`.
  static func checkLevel(for opponent: String?) throws(CommandError) {
    guard opponent.flatMap(PlayerName.key(of:))?.text != Player.botName else { return }
    throw CommandError(
      .badField, field: "level", "level is only for the opponent bot. Type: start bot GAME LEVEL")
  }

  /// Asks for a game for a player who is in the lobby.
  ///
  /// Without a `game`, it is that of the opponent's invitation, or the default.
  ///
  /// - Throws: `unknownGame`, `unknownPlayer`, `inMatch` if the opponent is in a match, and
  ///   `tooFast` if the opponent has declined a moment ago, has unread messages, or has too many
  ///   invitations.
  func start(
    by session: Session, opponent: String?, game: String?, level: BotLevel? = nil
  ) throws(CommandError) {
    let key = opponent.flatMap(PlayerName.key(of:))
    let invitation = key.flatMap { session.invitation(from: $0) }
    let game = try self.game(game ?? invitation?.request.game.info.id)
    guard opponent != nil else { return try matchmaker.start(by: session, for: nil, game) }
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

  /// Lets a player in the lobby wait for a friend, who joins with a code.
  ///
  /// - Throws: `unknownGame`.
  func open(by session: Session, game: String?) throws(CommandError) {
    matchmaker.open(by: session, try self.game(game))
  }

  /// Checks that there were not too many unknown codes from an address.
  ///
  /// - Throws: `tooFast`.
  func checkJoinRate(of usage: AddressUsage) throws(CommandError) {
    guard let wait = usage.timeUntilJoin(at: timers.now) else { return }
    throw CommandError(
      .tooFast, "There were too many unknown codes from your address. Try again later.",
      retry: wait)
  }

  /// Lets a player in the lobby play with the player who has opened a code.
  ///
  /// - Throws: `unknownCode`.
  func join(by session: Session, code: String) throws(CommandError) {
    do {
      try matchmaker.join(by: session, code: code)
    } catch {
      session.usage.addUnknownCode(at: timers.now)
      throw error
    }
  }

  /// Returns the game with an id, or the default one.
  ///
  /// - Throws: `unknownGame`.
  func game(_ id: String?) throws(CommandError) -> Game {
    guard let game = games[id ?? Command.defaultGame] else {
      throw CommandError(.unknownGame, field: "game")
    }
    return game
  }

  /// Declines an invitation to a new match. Without an `opponent`, it is the only one.
  ///
  /// - Throws: `notInvited` if it does not stand; `missingField` if several stand, but no
  ///   `opponent` is named.
  func decline(_ opponent: String?, by session: Session) throws(CommandError) {
    let invitation: Session.Invitation?
    if let opponent {
      invitation = PlayerName.key(of: opponent).flatMap { session.invitation(from: $0) }
    } else {
      guard session.incomingRequests.count < 2 else {
        throw CommandError(
          .missingField, field: "opponent",
          "Several players have invited you. Type: decline NAME")
      }
      invitation = session.incomingRequests.first.flatMap { session.invitation(from: $0.name.key) }
    }
    guard let invitation else { throw CommandError(.notInvited) }
    invitation.from.declines.add(session.number, at: timers.now)
    matchmaker.refuse(invitation.request, of: invitation.from, because: .declined)
  }

  /// Cancels the request of a waiting player.
  func cancel(_ request: PendingRequest, of session: Session) {
    matchmaker.withdraw(request, of: session)
    session.place = .lobby
    session.write(.didCancel())
  }

  /// Returns a name for a new session. Without a text, or with a blank one, it is the lowest free
  /// `Player N`.
  ///
  /// - Throws: `badName` or `nameTaken`.
  func freeName(_ name: String?) throws(CommandError) -> PlayerName {
    guard let name, !PlayerName.isBlank(name) else { return numberedName() }
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

  /// - Throws: `badName`.
  private func checkIsNotBanned(_ name: PlayerName) throws(CommandError) {
    guard let ban = moderation.ban(of: name) else { return }
    throw CommandError(.badName, field: "name", sentence(for: ban))
  }

  /// Returns what the owner of a banned name is told.
  func sentence(for ban: Term) -> String {
    let time = moderation.timeLeft(of: ban).map { " for \($0.words)" } ?? ""
    return "That name is banned here\(time). Choose another."
  }

  /// Checks that the operator lets a player speak.
  ///
  /// - Throws: `unavailable`.
  func checkMaySpeak(_ session: Session) throws(CommandError) {
    guard let mute = moderation.mute(of: session.name) else { return }
    let left = moderation.timeLeft(of: mute)
    throw CommandError(
      .unavailable,
      "The operator of the server has muted you\(left.map { " for \($0.words)" } ?? "").",
      retry: left)
  }

  /// Returns the session of the player with a name; `nil` if nobody has it.
  func session(named name: String) -> Session? {
    PlayerName.key(of: name).flatMap { sessions[$0] }
  }

  /// Returns the last line for a client of a banned address.
  func bye(for ban: Term) -> Event {
    let left = moderation.timeLeft(of: ban)
    let message = left.map { "Your address is banned from this server for \($0.words)." }
    return .bye(.banned, message: message ?? ByeCode.banned.message, retry: left)
  }

  /// Ends a session, as `quit` does, with another `bye`.
  func kick(_ session: Session, with bye: Event) {
    let connection = session.connection
    end(session)
    connection?.session = nil
    connection?.close(with: bye)
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
