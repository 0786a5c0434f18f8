import Shared

/// Applies each line to the player's state, and checks that it fits.
extension SimulatedPlayer {
  func connection(
    _ connection: PlayerConnection, didReceive received: ReceivedEvent, line: String,
    answering pending: PendingCommand?
  ) throws(ViolationError) {
    world.coverage.note(received.event, in: match?.game)
    if case .bye(let code, _, _, _) = received.event, connection === self.connection {
      try require(connection.allowedByes.contains(code), "bye \(code) without a reason")
    }
    guard connection === self.connection else {
      // Events on the old connection are repeated on the new one.
      if case .bye(let code, _, _, _) = received.event {
        try require(connection.allowedByes.contains(code) || code == .takenOver, "bye \(code)")
        if code == .takenOver { try noteTakeover() }
      }
      if case .match(let event) = received.event { _ = try world.note(event, line) }
      return
    }
    if case .hello = received.event { return authenticate() }
    if received.event.isBye(.shutdown) {
      try require(place != .playing && place != .watching, "a bye before the match has ended")
    }
    if let pending { try check(received.event, repliesTo: pending) }
    try take(received.event, line: line, answering: pending?.command)
  }

  private func take(
    _ event: Event, line: String, answering command: Command?
  ) throws(ViolationError) {
    if try takeRepeatedEvent(event, line: line) { return }
    switch event {
    case .hello, .bye, .pong, .help, .matches, .players, .games, .unknown: break
    // This server keeps nothing.
    case .didRegister, .didUnregister, .history, .leaderboard, .replayDidStart, .replayDidEnd:
      throw ViolationError("\(event) without a store")
    case .announcement: try require(place != .outside, "an announcement before the login")
    case .spectatorsDidChange(let id, _):
      try require(
        (place == .playing || place == .watching) && match?.id == id, "spectators of \(id)")
    case .didLogin(_, let token, let place, _): try didLogin(token, at: place, answering: command)
    case .didQueue(_, let opponent, _, _): try didQueue(opponent)
    case .didCancel(let reason): try didCancel(reason, answering: command)
    case .invited(let from, let game, _):
      try require(
        invitations.updateValue(game, forKey: from) == nil, "invited by \(from) twice")
    case .invitationDidEnd(let from, let game):
      if case .decline? = command { hasDeclined = from }
      try require(
        invitations.removeValue(forKey: from) == game, "\(from) had not invited to \(game)")
    case .match(let event): try take(event, line: line)
    case .matchSnapshot(let snapshot): try take(snapshot, answering: command)
    case .didLeave:
      try require(place == .watching, "didLeave at \(place)")
      (place, match) = (.lobby, nil)
    case .error(let code, _, _, _): didRefuse(code, command)
    }
    try require(
      place == .playing || !hasAskedForRematch, "it has asked for the next game of no match")
  }

  private func didRefuse(_ code: ErrorCode, _ command: Command?) {
    switch command {
    case .leave, .quit: world.history[name]?.leaves -= 1
    case .resign: world.history[name]?.resigns -= 1
    case .place(_, let seq?) where code == .stale: replay = Replay(next: seq + 1)
    case .login:
      connection?.allowedByes.insert(.loginTimeout)
      // The old session still has the name. Try again later.
      laterOnSameConnection {
        if $0.world.isFinishing { $0.send(.quit) } else { $0.login() }
      }
    case .resume(let used, _) where used != token:
      if place == .outside { authenticate() }
    case .resume where tokenIsUncertain && !wasAlone:
      // The server may not have noticed the loss of the connection that used this token.
      connection?.allowedByes.insert(.loginTimeout)
      laterOnSameConnection { $0.authenticateWithValidToken() }
    case .resume where place == .outside:
      forget()
      if world.isFinishing { send(.quit) } else { login() }
    default: break
    }
  }

  private func login() {
    send(.login(name: name, password: nil))
  }

  /// Acts later if this connection is still open and not logged in.
  private func laterOnSameConnection(_ action: @escaping (SimulatedPlayer) -> Void) {
    let delay = random.duration(.seconds(1)...Duration.seconds(5))
    world.network.after(delay) { [weak self, weak connection] in
      guard let self, let connection, connection === self.connection, connection.bye == nil,
        place == .outside
      else {
        return
      }
      action(self)
    }
  }

  private func didLogin(
    _ token: String?, at place: SessionPlace?, answering command: Command?
  ) throws(ViolationError) {
    guard let connection else { return }
    let used: String? = if case .resume(let used, _)? = command { used } else { nil }
    try noteReturn(with: used)
    if let last = self.token { usedTokens.append(last) }
    previousToken = used
    noteDeadTokens()
    if tokenIsUncertain { world.coverage.noteSecondUse() }
    try require(token.map(world.deadTokens.contains) == false, "an old token")
    (self.token, tokenIsUncertain, invitations, hasAskedForRematch) = (token, false, [:], false)
    isCatchingUp = place != nil
    world.history[name, default: PlayerHistory()].onlinePeriods.append(
      PlayerHistory.OnlinePeriod(link: connection.link.number, since: world.now))
    switch place {
    case nil, .lobby:
      (self.place, match) = (.lobby, nil)
      if case .waiting(nil)? = placeBeforeLoss, place != nil {
        try require(
          lostCommands || world.model.matchesBegun(by: name) > matchesBefore,
          "its start was lost with the connection")
      }
    case .waiting: self.place = .waiting(opponent: nil)
    case .playing: self.place = .playing
    case .watching: self.place = .watching
    }
    placeBeforeLoss = nil
  }

  private func didQueue(_ opponent: String?) throws(ViolationError) {
    switch place {
    case .lobby: place = .waiting(opponent: opponent)
    case .waiting where isCatchingUp: place = .waiting(opponent: opponent)
    case .playing:
      try require(
        match?.isRunning == false && !hasAskedForRematch, "didQueue in a running game, or twice")
      hasAskedForRematch = true
    case .outside, .waiting, .watching: throw ViolationError("didQueue at \(place)")
    }
  }

  private func didCancel(
    _ reason: CancelReason?, answering command: Command?
  ) throws(ViolationError) {
    let hasCancelled = command == .cancel || connection?.hasCancelInWords == true
    try require(reason != nil || hasCancelled, "didCancel without a reason")
    switch place {
    case .waiting(let opponent):
      try require(reason == nil || opponent != nil, "didCancel \(reason as Any) of no invitation")
      place = .lobby
      if reason == .declined { declinedBy = opponent }
    case .playing where hasAskedForRematch:
      try require(reason == nil || reason == .declined, "between games \(reason as Any)")
      hasAskedForRematch = false
    case .outside, .lobby, .playing, .watching: throw ViolationError("didCancel at \(place)")
    }
  }

  private func take(_ event: MatchEvent, line: String) throws(ViolationError) {
    let isFirst = try world.note(event, line)
    switch (place, match) {
    case (.lobby, _), (.waiting, _):
      let state = try MatchReplica(event)
      try require(
        state.you.map { state.players[$0] } == name, "a match with others: \(state)")
      (place, match) = (.playing, state)
    case (.playing, _?), (.watching, _?):
      try match?.apply(event)
      if case .gameDidStart(let state) = event.body { try check(state) }
    case (.outside, _), (.playing, nil), (.watching, nil):
      throw ViolationError("\(event) at \(place)")
    }
    guard let match else { return }
    try check(match)
    if isFirst { try world.checkCause(of: event, match) }
    switch event.body {
    case .gameDidStart:
      hasAskedForRematch = false
      if let opponent = match.opponent { invitations[opponent] = nil }
    case .matchDidEnd:
      if let opponent = match.opponent { invitations[opponent] = nil }
      (place, hasAskedForRematch, self.match) = (.lobby, false, nil)
    case .presenceDidChange(let mark, let isOnline, _) where isOnline:
      if mark == match.you { isCatchingUp = false }
    case .boardDidChange, .gameDidEnd, .presenceDidChange, .didSay: break
    }
  }

  private func take(_ snapshot: MatchSnapshot, answering command: Command?) throws(ViolationError) {
    let state = try MatchReplica(
      snapshot, board: world.model.board(of: snapshot.match, asOf: snapshot.seq))
    if case .watch? = command { place = .watching }
    if place == .lobby, match == nil { place = .watching }
    if let match, match.id == snapshot.match {
      if match.seq == snapshot.seq {
        try match.check(snapshot)
        return
      }
      try require(isCatchingUp && snapshot.seq > match.seq, "a snapshot out of step")
    }
    if let match, match.id != snapshot.match {
      try require(!world.hasMatch(match.id), "a snapshot of another match")
    }
    try require(
      place == .watching ? state.you == nil : state.you.map { state.players[$0] } == name,
      "a snapshot for another player: \(snapshot)")
    match = state
    try check(state)
    try world.check(
      left: snapshot.state.timeLeft, for: state, isTimed: state.isRunning, isNow: true)
  }

  /// Each receiver's copy names the mark of that receiver.
  private func check(_ state: GameState) throws(ViolationError) {
    let mine = Mark.allCases.first { state.players[$0] == name }
    try require(
      state.you == (place == .watching ? nil : mine), "the mark of another player: \(state)")
  }

  private func check(_ state: MatchReplica) throws(ViolationError) {
    guard let board = world.model.board(of: state.id, asOf: state.seq) else {
      throw ViolationError("there is no board of \(state.id) as of \(state.seq)")
    }
    try require(
      state.board.rows == board.rows
        && (!state.isRunning || state.board.turn == board.turn && state.board.open == board.open),
      "the board is \(state.board.rows), the server's as of \(state.seq) \(board.rows)")
  }

  /// Handles an event that the server repeats. Returns `false` if no repeated event is due.
  private func takeRepeatedEvent(_ event: Event, line: String) throws(ViolationError) -> Bool {
    guard let due = replay, let match else { return false }
    switch event {
    case .match(let past) where past.seq <= match.seq:
      try require(past.match == match.id && past.seq == due.next, "\(past.seq), not \(due.next)")
      // The model may not have its line yet: every player may have received a snapshot instead.
      _ = try world.note(past, line)
      if case .gameDidStart(let state) = past.body { try check(state) }
      let isLast = past.seq == match.seq
      replay = isLast ? nil : Replay(next: due.next + 1, hasBegun: true)
      return true
    case .matchSnapshot where !due.hasBegun:
      // The server always keeps the last event.
      try require(due.next != match.seq, "a snapshot instead of one event")
      replay = nil
      return false
    default:
      throw ViolationError("instead of event \(due.next) again: \(event)")
    }
  }
}
