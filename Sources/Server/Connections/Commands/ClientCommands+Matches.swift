import Shared

/// Beginning, joining and watching matches, which may be at other servers, and the lists of all of
/// them. A player goes to the match, never the match to a player.
extension ClientCommands {
  /// - Throws: the code of the session's place, or of the request.
  func start(opponent: String?, game: String?, level: BotLevel?) throws(CommandError) {
    let session = try loggedIn()
    switch session.place {
    case .lobby: break
    case .waiting: throw CommandError(.alreadyWaiting)
    case .playing(let match):
      return try match.start(by: session, opponent: opponent, game: game, level: level)
    case .watching: throw CommandError(.spectator)
    }
    guard let opponent, lobby.mayBeElsewhere(opponent) else {
      try lobby.start(by: session, opponent: opponent, game: game, level: level)
      if opponent == nil { try offerRequest(of: session) }
      return
    }
    if let game { _ = try lobby.game(game) }
    try route(.start(opponent: opponent, game: game, level: level)) {
      others.find(player: opponent, answer: $0)
    } here: { () throws(CommandError) in
      try lobby.start(by: session, opponent: opponent, game: game, level: level)
    }
  }

  /// Watches a match. Checks for room first, even if the client may not watch: the protocol sends
  /// `full` before other codes.
  func watch(_ id: String) throws(CommandError) {
    let match = lobby.match(id)
    if match?.hasRoom == false { throw .noRoom }
    let session = try loggedIn()
    try checkIsInLobby(session)
    if let match { return match.watch(by: session) }
    try route(.watch(match: id)) {
      others.find(match: id, answer: $0)
    } here: { () throws(CommandError) in
      guard let match = lobby.match(id) else { throw CommandError(.unknownMatch, field: "match") }
      guard match.hasRoom else { throw .noRoom }
      match.watch(by: session)
    }
  }

  /// Lists the games of this server, or the players or matches of all of them.
  func list(_ what: Listing) throws(CommandError) {
    guard what != .games else { return write(lobby.list(what, hasReplyID: !outlet.reply.isEmpty)) }
    try client.wait { _, answer in
      others.readLists(answer: answer)
    } then: { (lists: [Event]) in
      write(lobby.list(what, hasReplyID: !outlet.reply.isEmpty, with: lists))
    }
  }

  private func write(_ line: [UInt8]) { outlet.write(line: line.span, you: nil) }

  /// Makes the request of a player who waits for anyone, or for a friend with a code, known to the
  /// other servers. The player is told that it stands, or goes to a player who fits.
  func offerRequest(of session: Session) throws(CommandError) {
    guard let request = session.request else { return }
    try client.wait { pending, answer in
      // A match that begins meanwhile is the reply.
      request.onPair = { [timers = client.timers] in
        pending.letNextLineReply()
        timers.schedule(after: .zero) { answer(Route.here) }
      }
      others.offer(request, of: session, answer: answer)
    } then: { route throws(CommandError) in
      request.onPair = {}
      guard session.request === request else { return }
      switch route {
      case .here: lobby.matchmaker.announce(request, to: session)
      case .elsewhere: try follow(request, by: route)
      case .refused(let error):
        lobby.matchmaker.withdraw(request, of: session)
        session.place = .lobby
        throw error
      }
    }
  }

  /// Goes to a player who fits, and who waits elsewhere.
  func follow(_ request: PendingRequest, by route: Route) throws(CommandError) {
    try move(by: route, .start(opponent: nil, game: request.game.info.id))
  }

  /// Looks where a command has to be carried out, and carries it out here, or goes there with the
  /// player.
  func route(
    _ command: Command, by find: @escaping (@escaping (Route) -> Void) -> Void,
    here: @escaping () throws(CommandError) -> Void
  ) throws(CommandError) {
    try client.wait { _, answer in
      find(answer)
    } then: { route throws(CommandError) in
      switch route {
      case .here: try here()
      case .elsewhere: try move(by: route, command)
      case .refused(let error): throw error
      }
    }
  }

  /// Sends the player to another server, where the command is carried out.
  private func move(by route: Route, _ command: Command) throws(CommandError) {
    guard let session = outlet.session, case .elsewhere(_, let address, _) = route else { return }
    switch session.place {
    case .lobby: break
    case .waiting(let request):
      lobby.matchmaker.withdraw(request, of: session)
      session.place = .lobby
    case .playing, .watching: return
    }
    try client.wait { pending, answer in
      others.handOver(session, by: route, command) { departure in
        // The player has come back over another connection meanwhile.
        if pending.connection == nil { others.takeBack(session) }
        answer(departure)
      }
    } then: { (departure: Departure) throws(CommandError) in
      switch departure {
      case .left: lobby.release(session, with: .moved(to: address))
      // Perhaps on the way here, to the player who was about to go there.
      case .playerHasGone: try perform(command)
      case .refused(let error): throw error
      }
    }
  }
}
