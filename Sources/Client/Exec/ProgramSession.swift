import Shared

/// What the lines between a program and the server show of the program's session, so that the
/// session can move to another server and the program does not notice. A command without an `id`
/// gets one, which is removed from its reply.
struct ProgramSession {
  /// The number of commands whose replies are awaited. Further commands pass through unchanged: a
  /// program that sends so many at once has to live with the loss of some.
  static let maxUnanswered = 64
  /// The number of lines that are remembered because a server may repeat them.
  static let maxStanding = 64

  private struct Sent {
    let id: RequestID
    /// Whether the program does not know the id.
    let isOwn: Bool
    let command: Command
    let line: [UInt8]
    /// Whether an event without `re` is the reply, because the session has moved since.
    var awaitsEvent = false
  }

  /// What to do with a line of the server.
  enum Reception: Equatable {
    /// The program gets this line, or the line as it is if there is none. The event is for the
    /// person as well, if it is an `error` or a `bye`.
    case line([UInt8]?, Event? = nil)
    /// The program does not get the line.
    case hidden
    /// The session continues at another server; `nil` if the line names no address.
    case moved(to: ServerAddress?)
    /// The server has repeated all that stands. These lines are sent next.
    case repeated([[UInt8]])
  }

  private enum State {
    case settled
    /// The session moves.
    case moving
    /// The session has been resumed at another server, which repeats what stands until it replies
    /// to the command with this id.
    case repeating(RequestID)
  }

  /// The token of the session; `nil` before the login.
  private(set) var token: String?
  /// The number of the last event of the match; 0 without a match.
  private(set) var seq = 0
  private let usesTLS: Bool
  private var state = State.settled
  private var unanswered: [Sent] = []
  /// The lines of the program that wait while the session moves.
  private var waiting: [[UInt8]] = []
  /// What the program knows of requests, invitations and announcements, as the server repeats it.
  private var standing: [Event] = []
  /// Whether the lines of a replay arrive, whose events are not those of a match that goes on.
  private var isReplaying = false
  private var lastID = 0
  private let commands = CommandDecoder()
  private var events = EventDecoder()

  init(usesTLS: Bool) {
    self.usesTLS = usesTLS
  }

  /// Takes a line of the program, with its LF. Returns the line for the server; `nil` if it waits.
  mutating func send(_ line: [UInt8]) -> [UInt8]? {
    guard isMoving else { return track(line) }
    waiting.append(line)
    return nil
  }

  /// Takes a line of the server, without its LF.
  mutating func receive(_ line: Span<UInt8>) -> Reception {
    let received: ReceivedEvent
    do throws(LineError) { received = try events.decode(line) } catch { return .line(nil) }
    if case .bye(.moved, _, _, let to) = received.event {
      return .moved(to: to.flatMap { ServerAddress($0, usesTLS: usesTLS) })
    }
    if case .repeating(let id) = state, received.re == id { return .repeated(didRepeatAll()) }
    defer { note(received.event) }
    if case .repeating = state, received.re == nil, isKnown(received.event) { return .hidden }
    return .line(edited(line, received), received.event.isForPerson ? received.event : nil)
  }

  /// Whether the program knows an event that a server repeats, and does not wait for it.
  private func isKnown(_ event: Event) -> Bool {
    standing.contains(event.standing) && !unanswered.contains { isAnswered($0, by: event) }
  }

  /// Removes the id of this struct from a reply, or adds the program's. Returns `nil` if nothing
  /// changes.
  private mutating func edited(_ line: Span<UInt8>, _ received: ReceivedEvent) -> [UInt8]? {
    if let re = received.re {
      guard let index = unanswered.firstIndex(where: { $0.id == re }),
        unanswered.remove(at: index).isOwn
      else { return nil }
      return Self.removing(re, from: line)
    }
    guard let index = unanswered.firstIndex(where: { isAnswered($0, by: received.event) })
    else { return nil }
    let sent = unanswered.remove(at: index)
    return sent.isOwn ? nil : Self.adding(sent.id, to: line)
  }

  /// The session begins to move.
  mutating func willMove() {
    state = .moving
  }

  /// Whether the program's lines wait.
  var isMoving: Bool { if case .settled = state { false } else { true } }

  /// The number of lines that wait.
  var waitingCount: Int { waiting.count }

  /// The session continues at another server. Returns the line to send next, up to whose reply the
  /// server repeats all that stands; `nil` if it repeats nothing, because the program has not
  /// logged in.
  mutating func didMove(with login: Login) -> [UInt8]? {
    guard token != nil else { return nil }
    token = login.token ?? token
    // A new match is already on its way.
    let expectsMatch = seq == 0 && login.place != nil && login.place != .lobby
    for index in unanswered.indices where unanswered[index].command.asksForMatch {
      unanswered[index].awaitsEvent = expectsMatch
    }
    let id = makeID()
    state = .repeating(id)
    return Self.line(.ping, id)
  }

  /// The move is over. Returns the commands that were not carried out before it, and those that
  /// have waited.
  mutating func didRepeatAll() -> [[UInt8]] {
    state = .settled
    let lines = unanswered.filter { !$0.awaitsEvent }.map(\.line) + waiting.map { track($0) }
    waiting = []
    return lines
  }

  private func isAnswered(_ sent: Sent, by event: Event) -> Bool {
    let mayBe = if case .repeating = state { true } else { sent.awaitsEvent }
    return mayBe && sent.command.isAnswered(by: event)
  }

  /// Returns a line of the program with an id, and remembers it until its reply.
  private mutating func track(_ line: [UInt8]) -> [UInt8] {
    guard unanswered.count < Self.maxUnanswered else { return line }
    let request: Request?
    do throws(LineError) {
      request = try commands.decode(line.span.extracting(droppingLast: 1))
    } catch {
      return line
    }
    guard let request else { return line }
    let id = request.id ?? makeID()
    let sent = request.id == nil ? Self.line(request.command, id) : line
    unanswered.append(
      Sent(id: id, isOwn: request.id == nil, command: request.command, line: sent))
    return sent
  }

  private mutating func makeID() -> RequestID {
    lastID += 1
    return .text("exec-\(lastID)")
  }

  private mutating func note(_ event: Event) {
    switch event {
    case .didLogin(_, let token, _, _): self.token = token ?? self.token
    case .replayDidStart: isReplaying = true
    case .replayDidEnd: isReplaying = false
    case .match(let event) where !isReplaying:
      if case .matchDidEnd = event.body { seq = 0 } else { seq = event.seq }
    case .unknown(_?, let seq?) where !isReplaying: self.seq = seq
    case .matchSnapshot(let snapshot): seq = snapshot.seq
    case .didLeave: seq = 0
    default: break
    }
    noteStanding(event.standing)
  }

  private mutating func noteStanding(_ event: Event) {
    switch event {
    case .didQueue, .didCancel:
      standing.removeAll { if case .didQueue = $0 { true } else { false } }
    case .match(let event):
      guard case .gameDidStart = event.body else { return }
      standing.removeAll { if case .didQueue = $0 { true } else { false } }
    case .invited, .announcement, .spectatorsDidChange:
      standing.removeAll { $0 == event }
    case .invitationDidEnd(let from, let game):
      standing.removeAll { $0 == .invited(from: from, game: game) }
    default:
      break
    }
    switch event {
    case .didQueue, .invited, .announcement, .spectatorsDidChange:
      standing = standing.suffix(Self.maxStanding - 1) + [event]
    default:
      break
    }
  }

  private static func line(_ command: Command, _ id: RequestID) -> [UInt8] {
    var line: [UInt8] = []
    CommandEncoder.append(command, id: id, to: &line)
    return line
  }

  /// Removes the `re` from a line, which the server writes right after the type.
  private static func removing(_ re: RequestID, from line: Span<UInt8>) -> [UInt8]? {
    var bytes = line.withUnsafeBufferPointer { Array($0) }
    guard case .text(let id) = re, let range = bytes.firstRange(of: ",\"re\":\"\(id)\"".utf8)
    else { return nil }
    bytes.removeSubrange(range)
    return bytes
  }

  /// Adds a `re` to a line that has none, as the server would write it.
  private static func adding(_ re: RequestID, to line: Span<UInt8>) -> [UInt8]? {
    let bytes = line.withUnsafeBufferPointer { Array($0) }
    guard bytes.starts(with: "{\"type\":\"".utf8) else { return nil }
    var copy: [UInt8] = []
    EventEncoder.withCopy(of: line, re: re) { copied in
      copied.withUnsafeBufferPointer { copy.append(contentsOf: $0) }
    }
    return copy
  }
}

extension Event {
  /// The event without the times that differ when a server repeats it.
  fileprivate var standing: Event {
    switch self {
    case .didQueue(let game, let opponent, let code, _):
      .didQueue(game: game, opponent: opponent, code: code)
    case .invited(let from, let game, _): .invited(from: from, game: game)
    case .announcement(let text, _): .announcement(text: text)
    default: self
    }
  }

  /// Whether a person should see the event, which the program may not show.
  fileprivate var isForPerson: Bool {
    switch self {
    case .error, .bye: true
    default: false
    }
  }
}
