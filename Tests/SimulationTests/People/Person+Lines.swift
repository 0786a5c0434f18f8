import Shared

/// What it makes of a line.
extension Person {
  func wire(
    _ wire: Wire, got received: ReceivedEvent, line: String, answering pending: Pending?
  ) throws(Violation) {
    world.sightings.note(received.event)
    if case .bye(let code, _, _) = received.event, wire === self.wire {
      try demand(wire.earned.contains(code), "bye \(code) without a reason")
    }
    guard wire === self.wire else {
      // What still comes there, comes again on the new one.
      if case .bye(let code, _, _) = received.event {
        try demand(wire.earned.contains(code) || code == .takenOver, "bye \(code)")
        if code == .takenOver { try noteTakeover() }
      }
      if case .match(let event) = received.event { _ = try world.note(event, line) }
      return
    }
    if case .hello = received.event { return introduce() }
    if received.event.isBye(.shutdown) {
      try demand(place != .playing && place != .watching, "a goodbye before the match has ended")
    }
    if let pending { try check(received.event, answers: pending) }
    try take(received.event, line: line, answering: pending?.command)
  }

  private func take(
    _ event: Event, line: String, answering command: Command?
  ) throws(Violation) {
    if try takeAgain(event, line: line) { return }
    switch event {
    case .hello, .bye, .pong, .help, .matches, .players, .games, .unknown: break
    case .didLogin(_, let token, let place): try didLogin(token, at: place, answering: command)
    case .didQueue(_, let opponent): try didQueue(opponent)
    case .didCancel: try didCancel()
    case .invited(let from, _):
      try demand(invitations.insert(from).inserted, "invited by \(from) twice")
    case .invitationDidEnd(let from, _):
      try demand(invitations.remove(from) != nil, "\(from) had not invited")
    case .match(let event): try take(event, line: line)
    case .matchSnapshot(let snapshot): try take(snapshot, answering: command)
    case .didLeave:
      try demand(place == .watching, "didLeave at \(place)")
      (place, match) = (.lobby, nil)
    case .error(let code, _, _, _): didRefuse(code, command)
    }
    try demand(place == .playing || !hasAsked, "it has asked for the next game of no match")
  }

  private func didRefuse(_ code: ErrorCode, _ command: Command?) {
    switch command {
    case .leave, .quit: world.conduct[name]?.leaves -= 1
    case .resign: world.conduct[name]?.resigns -= 1
    case .place(_, let seq?) where code == .stale: replay = Replay(next: seq + 1)
    case .login:
      wire?.earned.insert(.loginTimeout)
      // The name is still the old session's: waits for that to end.
      laterOnSameWire {
        if $0.world.isFinishing { $0.send(.quit) } else { $0.login() }
      }
    case .resume(let used, _) where used != token:
      if place == .outside { introduce() }
    case .resume where tokenIsDoubtful && !wasAlone:
      // The server may not know yet that the connection is lost that was to bring the next one.
      wire?.earned.insert(.loginTimeout)
      laterOnSameWire { $0.introduceProperly() }
    case .resume where place == .outside:
      forget()
      if world.isFinishing { send(.quit) } else { login() }
    default: break
    }
  }

  private func login() {
    send(.login(name: name, password: nil))
  }

  /// Does something on the same connection, if it is still there and not logged in.
  private func laterOnSameWire(_ action: @escaping (Person) -> Void) {
    let delay = chance.duration(.seconds(1)...Duration.seconds(5))
    world.network.after(delay) { [weak self, weak wire] in
      guard let self, let wire, wire === self.wire, wire.bye == nil, place == .outside else {
        return
      }
      action(self)
    }
  }

  private func didLogin(
    _ token: String?, at place: SessionPlace?, answering command: Command?
  ) throws(Violation) {
    guard let wire else { return }
    let used: String? = if case .resume(let used, _)? = command { used } else { nil }
    try noteReturn(with: used)
    if let last = self.token { usedTokens.append(last) }
    spentToken = used
    noteDeadTokens()
    if tokenIsDoubtful { world.sightings.noteSecondUse() }
    try demand(token.map(world.deadTokens.contains) == false, "an old token")
    (self.token, tokenIsDoubtful, invitations, hasAsked) = (token, false, [], false)
    isCatchingUp = place != nil
    world.conduct[name, default: Conduct()].spells.append(
      Conduct.Spell(link: wire.link.number, since: world.now))
    switch place {
    case nil, .lobby:
      (self.place, match) = (.lobby, nil)
      if case .waiting(nil)? = lostPlace, place != nil {
        try demand(
          lostCommands || world.ledger.matchesBegun(by: name) > matchesBefore,
          "its start was lost with the connection")
      }
    case .waiting: self.place = .waiting(opponent: nil)
    case .playing: self.place = .playing
    case .watching: self.place = .watching
    }
    lostPlace = nil
  }

  private func didQueue(_ opponent: String?) throws(Violation) {
    switch place {
    case .lobby: place = .waiting(opponent: opponent)
    case .waiting where isCatchingUp: place = .waiting(opponent: opponent)
    case .playing:
      try demand(match?.isRunning == false && !hasAsked, "didQueue in a running game, or twice")
      hasAsked = true
    case .outside, .waiting, .watching: throw Violation("didQueue at \(place)")
    }
  }

  private func didCancel() throws(Violation) {
    switch place {
    case .waiting: place = .lobby
    case .playing where hasAsked: hasAsked = false
    case .outside, .lobby, .playing, .watching: throw Violation("didCancel at \(place)")
    }
  }

  private func take(_ event: MatchEvent, line: String) throws(Violation) {
    let isFirst = try world.note(event, line)
    switch (place, match) {
    case (.lobby, _), (.waiting, _):
      let picture = try MatchPicture(event)
      try demand(
        picture.you.map { picture.players[$0] } == name, "a match with others: \(picture)")
      (place, match) = (.playing, picture)
    case (.playing, _?), (.watching, _?):
      try match?.apply(event)
      if case .gameDidStart(let picture) = event.body { try check(picture) }
    case (.outside, _), (.playing, nil), (.watching, nil):
      throw Violation("\(event) at \(place)")
    }
    guard let match else { return }
    try check(match)
    if isFirst { try world.judge(event, match) }
    switch event.body {
    case .gameDidStart:
      hasAsked = false
      if let opponent = match.opponent { invitations.remove(opponent) }
    case .matchDidEnd:
      if let opponent = match.opponent { invitations.remove(opponent) }
      (place, hasAsked, self.match) = (.lobby, false, nil)
    case .presenceDidChange(let mark, let isOnline, _) where isOnline:
      if mark == match.you { isCatchingUp = false }
    case .boardDidChange, .gameDidEnd, .presenceDidChange, .didSay: break
    }
  }

  private func take(_ snapshot: MatchSnapshot, answering command: Command?) throws(Violation) {
    let picture = MatchPicture(snapshot)
    if case .watch? = command { place = .watching }
    if place == .lobby, match == nil { place = .watching }
    if let match, match.id == snapshot.match {
      if match.seq == snapshot.seq {
        try match.check(snapshot)
        return
      }
      try demand(isCatchingUp && snapshot.seq > match.seq, "a snapshot out of step")
    }
    if let match, match.id != snapshot.match {
      try demand(!world.hasMatch(match.id), "a snapshot of another match")
    }
    try demand(
      place == .watching ? picture.you == nil : picture.you.map { picture.players[$0] } == name,
      "somebody else's snapshot: \(snapshot)")
    match = picture
    try check(picture)
    try world.check(
      left: snapshot.state.timeLeft, for: picture, isTimed: picture.isRunning, isNow: true)
  }

  /// Each copy tells its receiver's own mark of that game.
  private func check(_ picture: GameState) throws(Violation) {
    let mine = Mark.allCases.first { picture.players[$0] == name }
    try demand(
      picture.you == (place == .watching ? nil : mine), "the mark of somebody else: \(picture)")
  }

  private func check(_ picture: MatchPicture) throws(Violation) {
    guard let board = world.ledger.board(of: picture.id, asOf: picture.seq) else {
      throw Violation("there is no board of \(picture.id) as of \(picture.seq)")
    }
    try demand(
      picture.board.rows == board.rows && (!picture.isRunning || picture.board.turn == board.turn),
      "the board is \(picture.board.rows), the server's as of \(picture.seq) \(board.rows)")
  }

  /// Takes what it has had already; answers `false` where that is not due.
  private func takeAgain(_ event: Event, line: String) throws(Violation) -> Bool {
    guard let due = replay, let match else { return false }
    switch event {
    case .match(let past) where past.seq <= match.seq:
      try demand(past.match == match.id && past.seq == due.next, "\(past.seq), not \(due.next)")
      // It can be news to the ledger: a snapshot may have stood for it everywhere.
      _ = try world.note(past, line)
      if case .gameDidStart(let picture) = past.body { try check(picture) }
      let isLast = past.seq == match.seq
      replay = isLast ? nil : Replay(next: due.next + 1, hasBegun: true)
      return true
    case .matchSnapshot where !due.hasBegun:
      // The last event is always kept.
      try demand(due.next != match.seq, "a snapshot instead of one event")
      replay = nil
      return false
    default:
      throw Violation("instead of event \(due.next) again: \(event)")
    }
  }
}
