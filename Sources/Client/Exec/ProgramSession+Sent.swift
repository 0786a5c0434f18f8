import Shared

extension ProgramSession {
  /// What to do with a line of the server.
  enum Reception: Equatable {
    /// The program gets this line, or the line as it is if there is none. The event is for the
    /// person as well, if it is an `error` or a `bye`.
    case line([UInt8]?, Event? = nil)
    /// The program does not get the line.
    case hidden
    /// The server has repeated all that stands. These lines are sent next.
    case repeated([[UInt8]])
    /// The program does not get the line: the name of its login is taken, perhaps by the session of
    /// the lost connection. The login with this id is sent again in a second.
    case refused(RequestID)
  }

  enum State {
    case settled
    /// The command with this id begins the session, or resumes an earlier one. The program's lines
    /// wait.
    case entering(RequestID)
    /// The session moves, or has lost its connection.
    case moving
    /// The session has been resumed on another connection, where the server repeats what stands
    /// until it replies to the command with this id.
    case repeating(RequestID)
  }

  /// A command of the program, which waits for its reply.
  struct Sent {
    let id: RequestID
    /// Whether the program does not know the id.
    let isOwn: Bool
    var command: Command
    var line: [UInt8]
    /// The match in which the program was; `nil` without one.
    let match: String?
    /// The number of games of that match which were over.
    var games = 0
    /// Whether an event without `re` is the reply, because the session has moved since.
    var awaitsEvent = false
    /// The program's `login`, for which `line` tries to resume an earlier session first.
    var login: Login?
    /// Whether the program does not know the command, because it repeats an earlier one.
    var isRepeated = false
    /// Whether it was sent before a connection was lost, and may have been carried out then.
    var isSentAgain = false
    /// Whether a line has come that is a reply, but not the last one.
    var hasReply = false

    /// Whether it is a `leave` that was carried out. The end of the match, which follows, is no
    /// reply if the game had to end first.
    var hasLeft: Bool { command == .leave && hasReply }

    struct Login {
      let command: Command
      let line: [UInt8]
    }

    /// The line that repeats the command. A password that was set meanwhile is named as the old
    /// one, which a server ignores for a name that is not registered.
    var lineForRepetition: [UInt8] {
      guard case .register(let password, nil) = command else { return line }
      return ProgramLine.command(.register(password: password, old: password), id)
    }
  }
}

/// What the program has sent without a reply.
extension ProgramSession {
  /// Whether the program has ended its session, and waits for the goodbye at most.
  var hasQuit: Bool { unanswered.contains { $0.command == .quit } }

  /// Whether the program waits for the reply to a login.
  var isLoggingIn: Bool { unanswered.contains { $0.command.beginsSession } }

  /// Whether the program may have left its match, and perhaps have asked for another one.
  var isLeaving: Bool { unanswered.contains { $0.command == .leave } }
}

/// Commands that are sent again.
extension ProgramSession {
  /// The requests of the old session have ended with it, so they are made again.
  mutating func askAgain() {
    unanswered.nameGames(of: standing.gameOfInvitation)
    unanswered.removeAll { $0.isRepeated }
    let command = match.takeRequest()
    guard let command, unanswered.count < Self.maxUnanswered else { return }
    let id = makeID()
    unanswered.insert(
      Sent(
        id: id, isOwn: true, command: command, line: ProgramLine.command(command, id), match: nil,
        isRepeated: true),
      at: 0)
  }

  /// The server refuses a command that it may have carried out before the connection was lost.
  /// Returns `nil` if the program has to know.
  mutating func didRefuseAgain(
    _ sent: Sent, at index: Int, _ code: ErrorCode
  ) -> Reception? {
    switch (sent.command, code) {
    case (.register(let password, let old?), .wrongPassword) where old != password:
      unanswered[index].command = .register(password: password, old: password)
      due = [ProgramLine.command(unanswered[index].command, sent.id)]
      return .hidden
    case (.leave, .notInMatch):
      unanswered.remove(at: index)
      note(ReceivedEvent(re: sent.id, .didLeave))
      return .line(ProgramLine.event(.didLeave, re: sent.isOwn ? nil : sent.id).dropLast())
    case (.cancel, .notWaiting):
      unanswered.remove(at: index)
      let reply = Event.didCancel()
      note(ReceivedEvent(re: sent.id, reply))
      return .line(ProgramLine.event(reply, re: sent.isOwn ? nil : sent.id).dropLast())
    default: return nil
    }
  }
}

extension [ProgramSession.Sent] {
  /// A password that may be that of the name, because the reply to its `register` was lost.
  var doubtfulPassword: String? {
    for sent in self { if case .register(let password, _) = sent.command { return password } }
    return nil
  }

  /// A snapshot of another match, or of a later game, shows that the one before it is over, and
  /// with it what the program wanted to do there. Returns each `leave` that was carried out.
  mutating func forgetCommands(before event: Event) -> Self {
    guard case .matchSnapshot(let snapshot) = event else { return [] }
    func isOver(_ sent: ProgramSession.Sent) -> Bool {
      guard sent.command.isForMatch, let match = sent.match else { return false }
      return match != snapshot.match
        || sent.command.isForGame && sent.games < snapshot.gamesBefore
    }
    let didLeave = contains { isOver($0) && $0.command == .leave }
    let done = (didLeave ? takeBeforeLastRequest() : []) + filter(isOver)
    removeAll(where: isOver)
    return done.filter { $0.command == .leave }
  }

  /// Takes the commands before the last request for a match, if a `leave` is one of them.
  mutating func takeBeforeLastRequest() -> Self {
    guard let last = lastIndex(where: { $0.command.asksForMatch }),
      self[..<last].contains(where: { $0.command == .leave })
    else { return [] }
    defer { removeSubrange(..<last) }
    return Array(self[..<last])
  }

  /// A `start` that accepts an invitation means its game. In a new session, in which the invitation
  /// has ended, it has to name that game.
  mutating func nameGames(of invitation: (_ name: String) -> String?) {
    for index in indices {
      guard case .start(let name?, nil, let level) = self[index].command,
        let game = invitation(name)
      else { continue }
      self[index].command = .start(opponent: name, game: game, level: level)
      self[index].line = ProgramLine.command(self[index].command, self[index].id)
    }
  }

  /// Returns the lines of a part of the commands, which are sent on another connection.
  mutating func sendAgain(_ range: some RangeExpression<Int>) -> [[UInt8]] {
    range.relative(to: self).filter { !self[$0].awaitsEvent }.map { index in
      self[index].isSentAgain = true
      return self[index].lineForRepetition
    }
  }
}
