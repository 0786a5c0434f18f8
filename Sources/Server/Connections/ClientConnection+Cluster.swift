import Shared

/// The commands of a client whose session, opponent or match may be at another node.
extension ClientConnection {
  /// Takes a name at all nodes, and logs in with it. Without a text of the player's own, other
  /// numbers are tried, from a range that grows: below 100, and at last below 100,000.
  func login(
    as name: PlayerName, _ check: PasswordCheck?, isNumbered: Bool, limit: Int = 100,
    in cluster: Cluster
  ) throws(CommandError) {
    let id = cluster.sessions.newID()
    try wait { pending, answer in
      cluster.sessions.takeName(name, for: id) { result in
        if pending.connection == nil { cluster.sessions.endSession(id, of: name) }
        answer(result)
      }
    } then: { [unowned self] (result: Result<Void, CommandError>) throws(CommandError) in
      if case .failure(let error) = result {
        guard error.code == .nameTaken, isNumbered, limit <= 100_000 else { throw error }
        return try login(
          as: lobby.randomName(below: limit), check, isNumbered: true, limit: 10 * limit,
          in: cluster)
      }
      try loadAccount(of: name, check, id: id, in: cluster)
    }
  }

  /// The name is taken, so nobody else changes its account from here on.
  private func loadAccount(
    of name: PlayerName, _ check: PasswordCheck?, id: String, in cluster: Cluster
  ) throws(CommandError) {
    let directory = lobby.directory
    try wait { pending, answer in
      directory.load(name) { error in
        // The client has gone: the answer is nobody's.
        if pending.connection == nil {
          cluster.sessions.endSession(id, of: name)
          if error == nil { directory.forget(name) }
        }
        answer(error)
      }
    } then: { [unowned self] (error: CommandError?) throws(CommandError) in
      var refusal = error
      if refusal == nil {
        do throws(CommandError) {
          return try login(as: name, check, id: id)
        } catch {
          directory.forget(name)
          refusal = error
        }
      }
      cluster.sessions.endSession(id, of: name)
      if let refusal { throw refusal }
    }
  }

  /// Looks where a session is, and resumes it here or sends the client there.
  func resume(_ token: String, after seq: Int?, in cluster: Cluster) throws(CommandError) {
    guard let (id, secret) = Session.idAndToken(in: token) else {
      throw CommandError(.unknownToken, field: "token")
    }
    var arrival = Arrival.nothing
    try wait { _, answer in
      cluster.sessions.find(id, secret, arrival: { arrival = $0 }, answer: answer)
    } then: { [unowned self] route throws(CommandError) in
      switch route {
      case .here:
        do throws(CommandError) {
          try resumeHere(token, after: seq)
        } catch {
          if !lobby.hasSession(id) { cluster.sessions.forgetSession(id) }
          throw error
        }
        switch arrival {
        case .nothing: break
        case .command(let command): try perform(command)
        case .refused(let error): throw error
        }
      case .elsewhere(_, let address, _): close(with: .moved(to: address))
      case .refused(let error): throw error
      }
    }
  }

  /// Looks where a command has to be carried out, and carries it out here, or goes there with the
  /// player.
  func route(
    _ command: Command, by find: @escaping (@escaping (Route) -> Void) -> Void,
    here: @escaping () throws(CommandError) -> Void
  ) throws(CommandError) {
    try wait { _, answer in
      find(answer)
    } then: { [unowned self] route throws(CommandError) in
      switch route {
      case .here: try here()
      case .elsewhere: try move(by: route, command)
      case .refused(let error): throw error
      }
    }
  }

  /// Lists the players or matches of all nodes.
  func list(_ what: Listing, in cluster: Cluster) throws(CommandError) {
    try wait { _, answer in
      cluster.lists.readOthers(answer: answer)
    } then: { [unowned self] (others: [Event]) in
      let line = lobby.list(what, hasReplyID: reply != nil, with: others)
      write(line: line.span, you: nil)
    }
  }

  /// Makes the request of this client's player known to the other nodes. The player is told that it
  /// stands, or goes to the node of a player who fits.
  func offer(_ request: PendingRequest, in cluster: Cluster) throws(CommandError) {
    guard let session else { return }
    try wait { pending, answer in
      // A match that begins meanwhile is the reply.
      request.onPair = { [timers] in
        pending.letNextLineReply()
        timers.schedule(after: .zero) { answer(Route.here) }
      }
      cluster.requests.add(request, of: session) { answer($0) }
    } then: { [unowned self] route throws(CommandError) in
      request.onPair = {}
      guard session.request === request else { return }
      switch route {
      case .here: lobby.matchmaker.announce(request, to: session)
      case .elsewhere:
        try move(by: route, Command.start(opponent: nil, game: request.game.info.id))
      case .refused(let error):
        lobby.matchmaker.withdraw(request, of: session)
        session.place = .lobby
        throw error
      }
    }
  }

  /// A player who waits here fits one who waits at another node.
  func follow(_ request: PendingRequest, by route: Route) {
    guard case .open = state, session?.request === request else { return }
    carryOut { () throws(CommandError) in
      try move(by: route, .start(opponent: nil, game: request.game.info.id))
    }
  }

  /// Sends the player to another node, where the command is carried out.
  private func move(by route: Route, _ command: Command) throws(CommandError) {
    guard let session, let cluster = lobby.cluster, case .elsewhere(_, let address, _) = route
    else { return }
    switch session.place {
    case .lobby: break
    case .waiting(let request):
      lobby.matchmaker.withdraw(request, of: session)
      session.place = .lobby
    case .playing, .watching: return
    }
    try wait { pending, answer in
      cluster.sessions.handOver(session, by: route, command) { departure in
        // The player has come back over another connection meanwhile.
        if pending.connection == nil { cluster.sessions.takeBack(session) }
        answer(departure)
      }
    } then: { [unowned self] (departure: Departure) throws(CommandError) in
      switch departure {
      case .left: lobby.release(session, with: .moved(to: address))
      // Perhaps on the way here, to the player who was about to go there.
      case .playerHasGone: try perform(command)
      case .refused(let error): throw error
      }
    }
  }
}
