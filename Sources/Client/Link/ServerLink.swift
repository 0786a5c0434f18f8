import Shared

/// The connection to a server, one after another, as long as Root runs it: lines in, as events, and
/// commands out.
final class ServerLink: Worker {
  /// Longest line of the server's, in bytes, newline excluded.
  static let longestLine = ProtocolLimits.maxEventLine - 1

  /// How long the greeting of a server that has been reached is waited for; and after so long since
  /// something was sent that did arrive, one that answers nothing more counts as gone.
  static let patience: Duration = .seconds(10)
  /// The longest time in which nothing is sent.
  static let silence: Duration = .seconds(5)
  /// The shortest time between two signs of life, whatever a server asks for.
  static let shortestSilence: Duration = .milliseconds(100)

  /// So many commands without an answer, or bytes that it has not taken, and a server counts as gone
  /// before its time is up: what it says can ask for commands without end.
  static let maxOpenRequests = 1_000
  static let maxUnsent = 65_536

  /// Opens a connection, and answers once unless it is cancelled before.
  typealias Connect = (
    _ host: String, _ port: UInt16,
    _ answer: @escaping (Result<any Connection, LinkFailure>) -> Void
  ) -> any Cancellable

  private enum Life {
    /// The worker does not run.
    case stopped
    case idle
    case connecting(CompositeCancellable)
    /// Connected; the greeting is to come within the limit.
    case greeting(any Connection, limit: LoopTimer)
    /// It is looked after at each check.
    case open(any Connection, Hello, check: LoopTimer)
    case closed(LinkFailure)

    /// As others see it.
    var state: LinkState {
      switch self {
      case .stopped, .idle: .idle
      case .connecting, .greeting: .connecting
      case .open(_, let hello, _): .open(hello)
      case .closed(let failure): .closed(failure)
      }
    }
  }

  /// Where it is connected, or was last.
  private(set) var address: ServerAddress?
  private let timers: any Timers
  private let open: Connect
  private var life = Life.stopped
  private let current = CurrentValue(LinkState.idle)
  private let received = EventSource<ReceivedEvent>()
  private var decoder = EventDecoder()
  private var framer = LineFramer(limit: longestLine)
  private var line: [UInt8] = []
  private var requests = OpenRequests()
  /// When the last command was sent; before the first one, when the server had greeted.
  private var lastSent: Duration = .zero

  init(timers: any Timers, connect: @escaping Connect) {
    self.timers = timers
    open = connect
  }

  var state: Stream<LinkState> { current.stream }

  /// By the clock of the program.
  var now: Duration { timers.now }

  var isOpen: Bool {
    if case .open = life { return true }
    return false
  }

  /// Every event but the greeting and the goodbye, which are states.
  var events: Stream<ReceivedEvent> { received.stream }

  override func didStart(_ interactorScope: any InteractorScope) {
    enter(.idle)
  }

  override func didStop() {
    enter(.stopped)
  }

  /// Connects, in the place of whatever connection or attempt there is. Does nothing while the
  /// worker does not run.
  func connect(to address: ServerAddress) {
    if case .stopped = life { return }
    self.address = address
    let attempt = CompositeCancellable()
    enter(.connecting(attempt))
    attempt.insert(
      open(address.host, address.port) { [weak self, weak attempt] result in
        guard let self, case .connecting(let latest) = life, latest === attempt else {
          // An attempt that was given up; nobody wants its connection.
          if case .success(let connection) = result { connection.close() }
          return
        }
        didConnect(result)
      })
  }

  /// Gives the connection, or the attempt, up because nobody wants it any more.
  func disconnect() {
    switch life {
    case .connecting, .greeting, .open: enter(.idle)
    case .stopped, .idle, .closed: break
    }
  }

  /// Gives the connection, or the attempt, up for a reason; the first one counts.
  func close(_ failure: LinkFailure) {
    switch life {
    case .connecting, .greeting, .open: enter(.closed(failure))
    case .stopped, .idle, .closed: break
    }
  }

  /// Sends a command; `answer` is called once, with the event that answers it. An error goes nowhere
  /// else, any other event to `events` as well, afterwards. It is `nil` where no answer comes: at
  /// once where the link is not open, else when it closes.
  func send(_ command: Command, answer: @escaping (Event?) -> Void = { _ in }) {
    guard case .open(let connection, _, _) = life else { return answer(nil) }
    guard requests.count < Self.maxOpenRequests else {
      close(.silent)
      return answer(nil)
    }
    // The time runs from the command before this one: where that was the last that arrived, the way
    // has been dead since then.
    let id = requests.add(until: lastSent + Self.patience, answer: answer)
    lastSent = timers.now
    line.removeAll(keepingCapacity: true)
    CommandEncoder.append(command, id: id, to: &line)
    let line = line
    if connection.send(line.span) > Self.maxUnsent { close(.silent) }
  }

  private func didConnect(_ result: Result<any Connection, LinkFailure>) {
    switch result {
    case .success(let connection):
      (decoder, framer) = (EventDecoder(), LineFramer(limit: Self.longestLine))
      connection.delegate = self
      let limit = timers.schedule(after: Self.patience) { [weak self] in self?.close(.silent) }
      enter(.greeting(connection, limit: limit))
    case .failure(let failure):
      close(failure)
    }
  }

  /// Leaves the state that it is in, with all that belongs to it, for another.
  private func enter(_ next: Life) {
    let last = life
    life = next
    switch (last, next) {
    case (.connecting(let attempt), _):
      attempt.cancel()
    case (.greeting(_, let limit), .open):
      limit.cancel()
    case (.greeting(let connection, let limit), _):
      limit.cancel()
      connection.close()
    case (.open(let connection, _, let check), _):
      check.cancel()
      connection.close()
    case (.stopped, _), (.idle, _), (.closed, _):
      break
    }
    let unanswered = requests.takeAll()
    let state = next.state
    if state != current.value { current.send(state) }
    for answer in unanswered { answer(nil) }
  }

  /// Sends a sign of life where nothing else was sent, and closes where something is not answered,
  /// whatever else comes. A move only moves `lastSent`; no timer is made for it.
  private func check() {
    guard case .open(let connection, let hello, _) = life else { return }
    let now = timers.now
    if let limit = requests.limit, limit <= now { return close(.silent) }
    let silence = Self.silence(at: hello)
    if now - lastSent >= silence { send(.ping) }
    var next = lastSent + silence
    if let limit = requests.limit { next = min(next, limit) }
    life = .open(connection, hello, check: checkLater(next - now))
  }

  /// How long nothing may be sent: well within what the server allows.
  private static func silence(at hello: Hello) -> Duration {
    guard let idle = hello.limits.idle else { return silence }
    return max(shortestSilence, min(silence, idle / 2))
  }

  private func checkLater(_ delay: Duration) -> LoopTimer {
    timers.schedule(after: delay) { [weak self] in self?.check() }
  }

  private func handle(_ line: Span<UInt8>) {
    let event: ReceivedEvent
    do throws(LineError) { event = try decoder.decode(line) } catch { return close(.notOurServer) }
    switch (life, event.event) {
    case (.greeting(let connection, _), .hello(let hello))
    where hello.protocolVersion == Hello.currentProtocol:
      lastSent = timers.now
      enter(.open(connection, hello, check: checkLater(Self.silence(at: hello))))
    case (_, .bye(let code, let message, let retry)):
      close(.bye(code, message, retry: retry))
    case (.open, _):
      let answer = event.re.flatMap { requests.take($0) }
      answer?(event.event)
      if case .error = event.event, answer != nil { return }
      received.send(event)
    case (.greeting, _), (.stopped, _), (.idle, _), (.connecting, _), (.closed, _):
      close(.notOurServer)
    }
  }

  /// Whether that is the connection that there is now.
  private func isCurrent(_ connection: any Connection) -> Bool {
    switch life {
    case .greeting(let mine, _), .open(let mine, _, _): mine === connection
    case .stopped, .idle, .connecting, .closed: false
    }
  }
}

extension ServerLink: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while isCurrent(connection) {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): handle(bytes.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return close(.notOurServer)
      }
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if isCurrent(connection) { close(.lost) }
  }
}
