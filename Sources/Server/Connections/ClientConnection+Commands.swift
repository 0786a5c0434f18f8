import Shared

/// Carries out commands. The effect of a command depends on the session's place.
extension ClientConnection {
  /// Carries out a command. Each command gets a reply of one or more lines, which is written here
  /// or in the calls from here.
  ///
  /// - Throws: the reason for a refusal, after which nothing has changed.
  func perform(_ command: Command) throws(CommandError) {
    switch command {
    case .login(let name, let password):
      try checkLoginRate()
      guard session == nil else { throw CommandError(.alreadyLoggedIn) }
      try login(name: name, password: password)
    case .register(let password, let old):
      try register(password: password, old: old)
    case .unregister(let password):
      try unregister(password: password)
    case .resume(let token, let seq):
      try checkLoginRate()
      guard session == nil else { throw CommandError(.alreadyLoggedIn) }
      try resume(token, after: seq)
    case .start(let opponent, let game, let level):
      if level != nil { try Lobby.checkLevel(for: opponent) }
      try lobby.checkStart(by: session)
      _ = try loggedIn()
      try start(opponent: opponent, game: game, level: level)
    case .open(let game):
      try lobby.checkStart(by: session)
      let session = try loggedIn()
      try checkIsInLobby(session)
      try lobby.open(by: session, game: game)
      if let cluster = lobby.cluster, let request = session.request {
        try offer(request, in: cluster)
      }
    case .join(let code):
      try lobby.checkJoinRate(of: usage)
      try lobby.checkStart(by: session)
      let session = try loggedIn()
      try checkIsInLobby(session)
      guard let cluster = lobby.cluster, !lobby.matchmaker.isOpen(code) else {
        return try lobby.join(by: session, code: code)
      }
      try route(command) {
        cluster.requests.find(code: code, answer: $0)
      } here: { [unowned self] () throws(CommandError) in
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
      try place(at: cell, seq: seq)
    case .resign:
      let session = try loggedIn()
      try match(playedBy: session).resign(by: session)
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
      if let cluster = lobby.cluster, what != .games { return try list(what, in: cluster) }
      let line = lobby.list(what, hasReplyID: reply != nil)
      write(line: line.span, you: nil)
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
      write(board, of: match.id)
    case .ping:
      write(.pong)
    case .help(let topic?):
      write(.help(topic.help))
    case .help(nil):
      for type in CommandType.allCases { write(.help(type.help)) }
    case .quit:
      if let session { lobby.kick(session, with: .bye(.quit)) } else { close(with: .bye(.quit)) }
    }
  }

  /// Places a mark for this client's session.
  ///
  /// - Throws: `notLoggedIn`, `notInMatch`, `spectator`, `noGame`.
  func place(at cell: Cell, seq: Int?) throws(CommandError) {
    let session = try loggedIn()
    try match(playedBy: session).place(at: cell, seq: seq, by: session)
  }

  func checkLoginRate() throws(CommandError) {
    guard let wait = usage.takeLogin(at: lastInput) else { return }
    throw CommandError(
      .tooFast, "Your address logs in too often. Try again in a moment.", retry: wait)
  }

  func loggedIn() throws(CommandError) -> Session {
    guard let session else { throw CommandError(.notLoggedIn) }
    return session
  }

  /// Returns the match that a session plays in or watches.
  private func match(of session: Session) throws(CommandError) -> any Match {
    switch session.place {
    case .lobby, .waiting: throw CommandError(.notInMatch)
    case .playing(let match), .watching(let match): match
    }
  }

  /// Returns the match that a session plays in.
  private func match(playedBy session: Session) throws(CommandError) -> any Match {
    switch session.place {
    case .playing(let match): return match
    case .watching: throw CommandError(.spectator)
    case .lobby, .waiting: throw CommandError(.notInMatch)
    }
  }

  /// Watches a match. Checks for room first, even if the client may not watch: the protocol sends
  /// `full` before other codes.
  private func watch(_ id: String) throws(CommandError) {
    let match = lobby.match(id)
    if match?.hasRoom == false { throw .noRoom }
    let session = try loggedIn()
    try checkIsInLobby(session)
    if let match { return match.watch(by: session) }
    guard let cluster = lobby.cluster else { throw CommandError(.unknownMatch, field: "match") }
    try route(.watch(match: id)) {
      cluster.sessions.find(match: id, answer: $0)
    } here: { [unowned self] () throws(CommandError) in
      guard let match = lobby.match(id) else { throw CommandError(.unknownMatch, field: "match") }
      guard match.hasRoom else { throw .noRoom }
      match.watch(by: session)
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
