import Shared

/// What the lines between a program and the server show of the program's session, so that the
/// session can move to another server, or continue after a loss of its connection, and the program
/// notices at most a snapshot. A command without an `id` gets one, which is removed from its reply.
struct ProgramSession {
  /// The number of commands whose replies are awaited. Further commands pass through unchanged,
  /// and may be lost with the connection.
  static let maxUnanswered = 64
  /// How often a login whose reply was lost is sent again, once a second: as long as the server may
  /// take to notice the loss.
  static let maxAttempts = Int(Reconnector.detectionDelay.components.seconds)

  /// The token of the session; `nil` before the login.
  private(set) var token: String?
  /// The name of the session; blank before the login.
  private(set) var name = ""
  /// How long the server keeps the session of a player whose connection was lost.
  private(set) var resumeTime = RemoteGameService.defaultResumeTime
  /// Returns the token of an earlier session under a name, which the next `login` takes up.
  private let keptToken: (String) -> String?
  private var state = State.settled
  var unanswered: [Sent] = []
  /// The lines of the program that wait while the session moves.
  private var waiting: [[UInt8]] = []
  private(set) var standing = StandingEvents()
  var match = ProgramMatch()
  /// Whether the program moves twice: its move was on the way when the connection was lost, and is
  /// sent again, but a snapshot has told the program that it is its turn.
  private var skipsNextMove = false
  /// Replies to commands that were carried out before the connection was lost. The program gets
  /// them before the next line.
  private var ownReplies: [UInt8] = []
  /// Lines for the server that were held until the last line of the server.
  var due: [[UInt8]] = []
  /// The password of the name; `nil` if the program has sent none.
  private var password: String?
  /// How often a login that is sent again may still find its name taken.
  private var attemptsLeft = maxAttempts
  private var wasGreeted = false
  /// Whether the lines of a replay arrive, whose events are not those of a match that goes on.
  private var isReplaying = false
  private var lastID = 0
  private let commands = CommandDecoder()

  /// The number of the last event of the match; 0 without a match.
  var seq: Int { match.seq }

  init(keptToken: @escaping (String) -> String? = { _ in nil }) {
    self.keptToken = keptToken
  }

  /// Takes a line of the program, with its LF. Returns the line for the server; `nil` if it waits.
  mutating func send(_ line: [UInt8]) -> [UInt8]? {
    if skipsNextMove, isMoveWithoutID(line) {
      skipsNextMove = false
      return nil
    }
    guard isMoving else { return track(line) }
    waiting.append(line)
    return nil
  }

  /// Takes a line of the server, without its LF, and the event in it; `nil` if there is none.
  mutating func receive(_ line: Span<UInt8>, _ received: ReceivedEvent?) -> Reception {
    guard let received else { return .line(nil) }
    switch (received.event, state) {
    case (.bye(let code, _, _?, _), _) where code.mayContinue && canContinue: return .hidden
    case (_, .repeating(let id)) where received.re == id:
      return .repeated(didRepeatAll())
    case (_, .entering(let id)) where received.re == id:
      return didEnter(received, line)
    default: break
    }
    if let re = received.re, let index = unanswered.firstIndex(where: { $0.id == re }) {
      let sent = unanswered[index]
      if sent.isRepeated { return didRepeat(sent, received, line) }
      if sent.isSentAgain, case .error(let code, _, _, _) = received.event,
        let reception = didRefuseAgain(sent, at: index, code)
      {
        return reception
      }
    }
    if case .repeating = state, received.re == nil,
      case .matchSnapshot(let snapshot) = received.event, match.knows(snapshot)
    {
      return .hidden
    }
    defer { note(received) }
    if case .repeating = state, received.re == nil {
      for sent in unanswered.forgetCommands(before: received.event) { reply(.didLeave, to: sent) }
      standing.didRepeat(received.event)
      if isKnown(received.event) { return .hidden }
    }
    let edited = withOwnReplies(edited(line, received), line)
    return .line(edited, received.event.isForPerson ? received.event : nil)
  }

  private mutating func withOwnReplies(_ edited: [UInt8]?, _ line: Span<UInt8>) -> [UInt8]? {
    guard !ownReplies.isEmpty else { return edited }
    defer { ownReplies = [] }
    return ownReplies + (edited ?? line.indices.map { line[$0] })
  }

  /// Whether the program knows an event that a server repeats, and does not wait for it.
  private func isKnown(_ event: Event) -> Bool {
    standing.contains(event) && !unanswered.contains { isAnswered($0, by: event) }
  }

  /// Removes the id of this struct from a reply, or adds the program's. Returns `nil` if nothing
  /// changes.
  private mutating func edited(_ line: Span<UInt8>, _ received: ReceivedEvent) -> [UInt8]? {
    if let re = received.re {
      guard let index = unanswered.firstIndex(where: { $0.id == re }) else { return nil }
      let sent = unanswered[index]
      if sent.command.isDone(by: received.event) {
        unanswered.remove(at: index)
      } else {
        unanswered[index].hasReply = true
      }
      noteReply(received.event, to: sent.command)
      return sent.isOwn ? ProgramLine.removing(re, from: line) : nil
    }
    guard let index = unanswered.firstIndex(where: { isAnswered($0, by: received.event) })
    else { return nil }
    let sent = unanswered.remove(at: index)
    noteReply(received.event, to: sent.command)
    return sent.isOwn ? nil : ProgramLine.adding(sent.id, to: line)
  }

  /// The session begins to move, or its connection is lost.
  mutating func willMove() {
    state = .moving
  }

  /// Whether the program's lines wait.
  var isMoving: Bool { if case .settled = state { false } else { true } }

  /// The number of lines that wait.
  var waitingCount: Int { waiting.count }

  private func isAnswered(_ sent: Sent, by event: Event) -> Bool {
    let mayBe = if case .repeating = state { true } else { sent.awaitsEvent }
    return mayBe && sent.command.isAnswered(by: event)
  }

  /// Returns a line of the program with an id, and remembers it until its reply.
  private mutating func track(_ line: [UInt8]) -> [UInt8] {
    guard unanswered.count < Self.maxUnanswered, let request = request(in: line) else {
      return line
    }
    let id = request.id ?? makeID()
    let sent = request.id == nil ? ProgramLine.command(request.command, id) : line
    if case .login(let name, let password) = request.command {
      self.password = password
      if let name, token == nil, let kept = keptToken(name) {
        state = .entering(id)
        let resume = Command.resume(token: kept, seq: nil)
        unanswered.append(
          Sent(
            id: id, isOwn: request.id == nil, command: resume,
            line: ProgramLine.command(resume, id), match: nil,
            login: Sent.Login(command: request.command, line: sent)))
        return ProgramLine.command(resume, id)
      }
    }
    unanswered.append(
      Sent(
        id: id, isOwn: request.id == nil, command: request.command, line: sent, match: match.id,
        games: match.games))
    return sent
  }

  /// The command in a line of the program; `nil` if there is none.
  private func request(in line: [UInt8]) -> Request? {
    try? commands.decode(line.span.extracting(droppingLast: 1))
  }

  private func isMoveWithoutID(_ line: [UInt8]) -> Bool {
    guard let request = request(in: line), request.id == nil else { return false }
    return request.command.isMove
  }

  mutating func makeID() -> RequestID {
    lastID += 1
    return .text("exec-\(lastID)")
  }
}

/// The session on a new connection.
extension ProgramSession {
  /// Whether there is a session, or the program may still log in. A replay does not continue: its
  /// events are not numbered as those of a match are.
  var canContinue: Bool {
    !isReplaying
      && (wasGreeted || token != nil || unanswered.contains { $0.command.beginsSession })
  }

  /// Whether an event is the first `hello`, which the program gets from whatever connection has it.
  func awaits(_ event: ReceivedEvent?) -> Bool {
    if case .hello? = event?.event { !wasGreeted } else { false }
  }

  /// Whether the program plays in a match, which only the session itself continues.
  private var isPlaying: Bool { match.isPlayed && !isLeaving && !hasQuit }

  /// How to resume the session; `nil` before the login. If the session is over, a new one begins
  /// under its name, unless a match is lost with it.
  var credentials: LoginAttempt.Credentials? {
    token.map {
      LoginAttempt.Credentials(
        name: name, password: password, reservePassword: unanswered.doubtfulPassword,
        // Without a number the server shows the match, which may be another one.
        kept: LoginAttempt.KeptSession(token: $0, seq: isLeaving ? nil : seq),
        mayStartOver: !isPlaying)
    }
  }

  /// Whether the program's match has ended, and no event will tell the program.
  func hasLostMatch(with login: Login) -> Bool {
    isPlaying && (login.place == nil || login.place == .lobby)
  }

  /// The session continues on a new connection. Returns the line to send next, up to whose reply
  /// the server repeats all that stands; `nil` if it repeats nothing, because the program has not
  /// logged in.
  mutating func didMove(with login: Login) -> [UInt8]? {
    guard token != nil else { return nil }
    token = login.token ?? token
    unanswered.removeAll { $0.hasLeft }
    dropDone(at: login.place)
    // A new match is already on its way.
    let expectsMatch = seq == 0 && login.place != nil && login.place != .lobby
    for index in unanswered.indices where unanswered[index].command.asksForMatch {
      unanswered[index].awaitsEvent = expectsMatch
    }
    if login.place == nil { askAgain() }
    let id = makeID()
    state = .repeating(id)
    standing.willRepeat()
    return ProgramLine.command(.ping, id)
  }

  /// Drops what the place of the session shows to be carried out.
  private mutating func dropDone(at place: SessionPlace?) {
    switch place {
    case .lobby, .waiting, nil:
      guard match.isPlayed, let index = unanswered.firstIndex(where: { $0.command == .leave })
      else { break }
      reply(.didLeave, to: unanswered.remove(at: index))
    case .playing, .watching: break
    }
    // Nobody can tell which of several requests has led here. To leave the last one's match would
    // be worse than to miss one before it.
    guard seq == 0, place != nil, place != .lobby else { return }
    for sent in unanswered.takeBeforeLastRequest() where !sent.isOwn {
      reply(sent.command == .leave ? .didLeave : .didCancel(), to: sent)
    }
  }

  private mutating func reply(_ event: Event, to sent: Sent) {
    ownReplies += ProgramLine.event(event, re: sent.isOwn ? nil : sent.id)
    note(ReceivedEvent(re: sent.id, event))
  }

  /// The move is over. Returns the commands that were not carried out before it, and those that
  /// have waited.
  mutating func didRepeatAll() -> [[UInt8]] {
    attemptsLeft = Self.maxAttempts
    // What follows a login waits for it.
    if let login = unanswered.firstIndex(where: { $0.command.beginsSession }) {
      state = .entering(unanswered[login].id)
      return unanswered.sendAgain(0...login)
    }
    state = .settled
    return unanswered.sendAgain(0...) + takeWaiting()
  }

  /// Returns the login with an id once more; `nil` if it has been answered, or the connection is
  /// lost.
  func login(_ id: RequestID) -> [UInt8]? {
    guard case .entering(id) = state else { return nil }
    return unanswered.first { $0.id == id }?.line
  }

  private mutating func takeWaiting() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    while !waiting.isEmpty, !isMoving { lines.append(track(waiting.removeFirst())) }
    return lines
  }

  /// Returns the lines that the last line of the server has made due.
  mutating func takeDue() -> [[UInt8]] {
    defer { due = [] }
    return due
  }

  /// Returns lines for the program about what it takes for standing, and the server has not
  /// repeated.
  mutating func takeEnded() -> [[UInt8]] {
    defer { ownReplies = [] }
    let ended = standing.takeEnded(asksAgain: unanswered.contains { $0.isRepeated }).map {
      ProgramLine.event($0)
    }
    return ownReplies.isEmpty ? ended : [ownReplies] + ended
  }

  /// The reply to a request that was made again. What the program knows already is hidden.
  private mutating func didRepeat(
    _ sent: Sent, _ received: ReceivedEvent, _ line: Span<UInt8>
  ) -> Reception {
    unanswered.removeAll { $0.id == sent.id }
    if case .error = received.event {
      match.request = nil
      let end: Event = if case .watch = sent.command { .didLeave } else { .didCancel() }
      standing.note(end)
      return .line(ProgramLine.event(end).dropLast())
    }
    let isKnown = standing.contains(received.event)
    noteReply(received.event, to: sent.command)
    note(received)
    return isKnown ? .hidden : .line(ProgramLine.removing(sent.id, from: line))
  }

  /// The reply to an attempt to take an earlier session up. If there is none, the program's own
  /// login comes next.
  private mutating func didEnter(_ received: ReceivedEvent, _ line: Span<UInt8>) -> Reception {
    let index = unanswered.firstIndex { $0.id == received.re }
    if case .error(let code, _, _, _) = received.event, let index {
      let old = unanswered[index]
      if let login = old.login {
        unanswered[index] = Sent(
          id: old.id, isOwn: old.isOwn, command: login.command, line: login.line, match: nil,
          isSentAgain: old.isSentAgain)
        if old.isSentAgain {
          due = [login.line]
        } else {
          state = .settled
          due = [login.line] + takeWaiting()
        }
        return .hidden
      }
      if code == .nameTaken, attemptsLeft > 0 {
        attemptsLeft -= 1
        return .refused(old.id)
      }
    }
    state = .settled
    note(received)
    let edited = edited(line, received)
    // The login itself has gone from the list.
    due = (index.map { unanswered.sendAgain($0...) } ?? []) + takeWaiting()
    return .line(edited, received.event.isForPerson ? received.event : nil)
  }
}

/// What the server's lines tell.
extension ProgramSession {
  private mutating func noteReply(_ event: Event, to command: Command) {
    switch (command, event) {
    case (.start, .didQueue), (.open, .didQueue): match.request = seq == 0 ? command : nil
    case (.register(let password, _), .didRegister): self.password = password
    default: break
    }
  }

  mutating func note(_ received: ReceivedEvent) {
    let event = received.event
    switch event {
    case .hello(let hello):
      wasGreeted = true
      if let time = hello.limits.resumeWithin, time > .zero { resumeTime = time }
    case .didLogin(let name, let token, _, _):
      self.name = name
      self.token = token ?? self.token
    case .replayDidStart: isReplaying = true
    case .replayDidEnd: isReplaying = false
    case .error: skipsNextMove = false
    default: break
    }
    guard !isReplaying else { return }
    match.note(event)
    if !match.isPlayed { unanswered.removeAll { $0.hasLeft } }
    standing.note(event)
    if skipsNextMove { skipsNextMove = !match.isSettled(by: event) }
    if case .matchSnapshot(let snapshot) = event {
      skipsNextMove =
        hasMoveOnTheWay && match.mark != nil && snapshot.state.board.turn == match.mark
    }
  }

  /// Whether a move of the program is not carried out, while the server repeats what stands.
  private var hasMoveOnTheWay: Bool {
    guard case .repeating = state else { return false }
    return unanswered.contains { $0.command.isMove }
      || waiting.contains { request(in: $0)?.command.isMove == true }
  }
}
