import Shared

/// Carries out the commands of a client. The effect of a command depends on the place of its
/// session.
struct ClientCommands {
  let client: ClientConnection

  var outlet: ClientOutlet { client.outlet }
  var lobby: Lobby { client.lobby }
  var directory: any Directory { client.lobby.directory }
  var others: any OtherServers { client.lobby.others }

  /// Carries out a command. Each command gets a reply of one or more lines, which is written here
  /// or in the calls from here.
  ///
  /// - Throws: the reason for a refusal, after which nothing has changed.
  func perform(_ command: Command) throws(CommandError) {
    switch command {
    case .login(let name, let password):
      if client.onlyResumes, let registry = client.registry {
        return registry.rejectNewcomer(client)
      }
      try checkLoginRate()
      guard outlet.session == nil else { throw CommandError(.alreadyLoggedIn) }
      try login(name: name, password: password)
    case .register(let password, let old):
      try register(password: password, old: old)
    case .unregister(let password):
      try unregister(password: password)
    case .resume(let token, let seq):
      try checkLoginRate()
      guard outlet.session == nil else { throw CommandError(.alreadyLoggedIn) }
      try resume(token, after: seq)
    case .start(let opponent, let game, let level):
      if level != nil { try Lobby.checkLevel(for: opponent) }
      try lobby.checkStart(by: outlet.session)
      _ = try loggedIn()
      try start(opponent: opponent, game: game, level: level)
    case .open(let game):
      try lobby.checkStart(by: outlet.session)
      let session = try loggedIn()
      try checkIsInLobby(session)
      try lobby.open(by: session, game: game)
      try offerRequest(of: session)
    case .join(let code):
      try lobby.checkJoinRate(of: outlet.usage)
      try lobby.checkStart(by: outlet.session)
      let session = try loggedIn()
      try checkIsInLobby(session)
      guard !lobby.matchmaker.isOpen(code) else {
        return try lobby.join(by: session, code: code)
      }
      try route(command) {
        others.find(code: code, answer: $0)
      } here: { () throws(CommandError) in
        try lobby.join(by: session, code: code)
      }
    case .cancel:
      let session = try loggedIn()
      switch session.place {
      case .lobby, .watching: throw CommandError(.notWaiting)
      case .waiting(let request): lobby.cancel(request, of: session)
      case .playing(let match): try match.cancel(by: session)
      }
    case .decline(let opponent):
      let session = try loggedIn()
      if case .playing(let match) = session.place,
        try match.decline(opponent, by: session)
      {
        return
      }
      try lobby.decline(opponent, by: session)
    case .place(let cell, let seq):
      try Self.place(at: cell, seq: seq, by: outlet.session)
    case .resign:
      let session = try loggedIn()
      try Self.match(playedBy: session).resign(by: session)
    case .leave:
      let session = try loggedIn()
      switch session.place {
      case .lobby, .waiting: throw CommandError(.notInMatch)
      case .playing(let match): match.leave(by: session)
      case .watching(let match): match.stopWatching(by: session)
      }
    case .say(let text):
      let session = try loggedIn()
      try lobby.checkMaySpeak(session)
      try match(of: session).say(text, by: session)
    case .watch(let id):
      try watch(id)
    case .list(let what):
      _ = try loggedIn()
      try list(what)
    case .history(let player, let before):
      try readHistory(of: player, before: before)
    case .leaderboard(let game):
      try readLeaderboard(of: game)
    case .replay(let match, let seq):
      try replay(match, after: seq)
    case .sync(let seq):
      let session = try loggedIn()
      try match(of: session).sync(after: seq, to: session)
    case .board:
      let match = try match(of: try loggedIn())
      guard let board = match.board else { throw CommandError(.notInMatch) }
      outlet.write(board, of: match.id)
    case .ping:
      outlet.write(.pong)
    case .help(let topic?):
      outlet.write(.help(topic.help))
    case .help(nil):
      for type in CommandType.allCases { outlet.write(.help(type.help)) }
    case .quit:
      guard let session = outlet.session else { return outlet.close(with: .bye(.quit)) }
      if let account = directory.account(of: session.name), account.passwordUse == .once {
        directory.spendPassword(of: account)
      }
      lobby.kick(session, with: .bye(.quit))
    }
  }

  /// Places a mark. This is the way of a move.
  ///
  /// - Throws: `notLoggedIn`, `notInMatch`, `spectator`, `noGame`.
  @inline(__always)
  static func place(at cell: Cell, seq: Int?, by session: Session?) throws(CommandError) {
    guard let session else { throw CommandError(.notLoggedIn) }
    try match(playedBy: session).place(at: cell, seq: seq, by: session)
  }

  func checkLoginRate() throws(CommandError) {
    guard let wait = outlet.usage.takeLogin(at: client.lastInput) else { return }
    throw CommandError(
      .tooFast, "Your address logs in too often. Try again in a moment.", retry: wait)
  }

  func loggedIn() throws(CommandError) -> Session {
    guard let session = outlet.session else { throw CommandError(.notLoggedIn) }
    return session
  }

  /// Returns the match that a session plays in or watches.
  private func match(of session: Session) throws(CommandError) -> any Match {
    switch session.place {
    case .lobby, .waiting: throw CommandError(.notInMatch)
    case .playing(let match), .watching(let match): match
    }
  }

  @inline(__always)
  private static func match(playedBy session: Session) throws(CommandError) -> any Match {
    switch session.place {
    case .playing(let match): return match
    case .watching: throw CommandError(.spectator)
    case .lobby, .waiting: throw CommandError(.notInMatch)
    }
  }

  func checkIsInLobby(_ session: Session) throws(CommandError) {
    switch session.place {
    case .lobby: break
    case .waiting: throw CommandError(.alreadyWaiting)
    case .playing: throw CommandError(.inMatch)
    case .watching: throw CommandError(.spectator)
    }
  }
}
