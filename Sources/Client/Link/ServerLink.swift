import Shared

/// The connection to a server, one after another, as long as Root runs it: lines in, as events, and
/// commands out.
final class ServerLink: Worker {
  /// Longest line of the server's, in bytes, newline excluded.
  static let longestLine = EventEncoder.longestLine - 1

  /// How long the greeting of a server that has been reached is waited for.
  static let patience: Duration = .seconds(10)

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
    case open(any Connection, Hello)
    case closed(LinkFailure)

    /// As others see it.
    var state: LinkState {
      switch self {
      case .stopped, .idle: .idle
      case .connecting, .greeting: .connecting
      case .open(_, let hello): .open(hello)
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
  private var lastID = 0
  private var answers: [RequestID: (Event) -> Void] = [:]

  init(timers: any Timers, connect: @escaping Connect) {
    self.timers = timers
    open = connect
  }

  var state: Stream<LinkState> { current.stream }

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

  /// Sends a command; `answer` is called with the one event that answers it. An error goes nowhere
  /// else, any other event to `events` as well, afterwards. Where the link is not open, or closes
  /// before, no answer comes.
  func send(_ command: Command, answer: @escaping (Event) -> Void = { _ in }) {
    guard case .open(let connection, _) = life else { return }
    lastID += 1
    answers[.integer(lastID)] = answer
    line.removeAll(keepingCapacity: true)
    CommandEncoder.append(command, id: .integer(lastID), to: &line)
    let line = line
    connection.send(line.span)
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
    case (.open(let connection, _), _):
      connection.close()
      answers = [:]
    case (.stopped, _), (.idle, _), (.closed, _):
      break
    }
    let state = next.state
    if state != current.value { current.send(state) }
  }

  private func handle(_ line: Span<UInt8>) {
    let event: ReceivedEvent
    do throws(LineError) { event = try decoder.decode(line) } catch { return close(.notOurServer) }
    switch (life, event.event) {
    case (.greeting(let connection, _), .hello(let hello))
    where hello.protocolVersion == Hello.currentProtocol:
      enter(.open(connection, hello))
    case (_, .bye(let code, let message, _)):
      close(.bye(code, message))
    case (.open, _):
      let answer = event.re.flatMap { answers.removeValue(forKey: $0) }
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
    case .greeting(let mine, _), .open(let mine, _): mine === connection
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
