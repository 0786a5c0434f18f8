import RIBs
import Shared

/// The connection to a server: decodes its lines into events, and sends commands. A worker of the
/// root; it can connect again and again, to one server after another.
final class ServerLink: Worker {
  /// How long the link waits for the server's greeting, and for the reply to a command.
  static let answerTimeout: Duration = .seconds(10)
  /// The longest time without sending anything. After it, the link sends `ping`.
  static let pingInterval: Duration = .seconds(5)
  /// The shortest time between two pings, regardless of the server's limits.
  static let minPingInterval: Duration = .milliseconds(100)

  /// The maximum number of commands without a reply. The link then closes, because a hostile server
  /// could cause commands without end.
  static let maxUnansweredCommands = 1_000
  /// The maximum number of bytes that the server has not read. The link then closes.
  static let maxUnsent = 65_536

  /// Opens a connection. `answer` is called once, unless the attempt is cancelled.
  typealias Connect = (
    _ host: String, _ port: UInt16,
    _ answer: @escaping (Result<any Connection, LinkError>) -> Void
  ) -> any Cancellable

  private enum State {
    /// The worker is not running.
    case stopped
    case idle
    case connecting(CompositeCancellable)
    /// The server has sent `bye` `moved`. The timer connects to the other server.
    case moving(ServerAddress, LoopTimer)
    /// Connected. The greeting must come before the timer fires.
    case greeting(any Connection, timeout: LoopTimer)
    /// The timer checks for missing replies, and sends `ping`.
    case open(any Connection, Hello, check: LoopTimer)
    case closed(LinkError)

    var linkState: LinkState {
      switch self {
      case .stopped, .idle: .idle
      case .connecting, .greeting: .connecting
      case .moving(let address, _): .moved(address)
      case .open(_, let hello, _): .open(hello)
      case .closed(let failure): .closed(failure)
      }
    }
  }

  /// The server of the current connection, or of the last one.
  private(set) var address: ServerAddress?
  let timers: any Timers
  private let openConnection: Connect
  private var connectionState = State.stopped
  private let current = CurrentValue(LinkState.idle)
  private let received = EventSource<ReceivedEvent>()
  private var decoder = EventDecoder()
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
  private var line: [UInt8] = []
  private var unanswered = UnansweredCommands()
  /// The commands of a session that moves; `nil` while none moves.
  private var waiting: WaitingCommands?
  private var moves = SlidingWindow.moves
  /// When the last command was sent; before the first command, when the greeting came. With a
  /// relay, when the last bytes came, or could have.
  private var lastSign: Duration = .zero
  /// Set before the link connects.
  weak var relay: (any LineRelay)? {
    didSet { unanswered.isRelayed = relay != nil }
  }

  init(timers: any Timers, connect: @escaping Connect) {
    self.timers = timers
    openConnection = connect
  }

  var state: Stream<LinkState> { current.stream }

  /// The time on the loop's clock.
  var now: Duration { timers.now }

  var isOpen: Bool {
    if case .open = connectionState { return true }
    return false
  }

  /// The server that the link is connected to, or connects to; `nil` if there is none.
  var target: ServerAddress? {
    switch connectionState {
    case .connecting, .greeting, .open: address
    case .moving(let target, _): target
    case .stopped, .idle, .closed: nil
    }
  }

  /// Every event except `hello` and `bye`, which change `state`.
  var events: Stream<ReceivedEvent> { received.stream }

  override func didStart(_ interactorScope: any InteractorScope) {
    enter(.idle)
  }

  override func didStop() {
    enter(.stopped)
  }

  /// Connects, and gives up any other connection or attempt. Does nothing while the worker is not
  /// running.
  func connect(to address: ServerAddress) {
    if case .stopped = connectionState { return }
    self.address = address
    let attempt = CompositeCancellable()
    enter(.connecting(attempt))
    attempt.insert(
      openConnection(address.host, address.port) { [weak self, weak attempt] result in
        guard let self, case .connecting(let latest) = connectionState, latest === attempt else {
          // The attempt was given up.
          if case .success(let connection) = result { connection.close() }
          return
        }
        didConnect(result)
      })
  }

  /// Closes the connection, or gives up the attempt, because it is no longer needed.
  func disconnect() {
    switch connectionState {
    case .connecting, .moving, .greeting, .open: enter(.idle)
    case .stopped, .idle, .closed: break
    }
  }

  /// Closes the connection, or gives up the attempt, with an error. The first error counts.
  func close(_ failure: LinkError) {
    switch connectionState {
    case .connecting, .moving, .greeting, .open: enter(.closed(failure))
    case .stopped, .idle, .closed: break
    }
  }

  /// Sends a command. `answer` is called once, with the reply to the command. An `error` goes only
  /// to `answer`; any other reply also goes to `events` afterwards. `answer` gets `nil` if there is
  /// no reply: at once if the link is not open, otherwise when it closes. While the session moves
  /// to another server, commands that need a session wait.
  func send(_ command: Command, answer: @escaping (Event?) -> Void = { _ in }) {
    guard waiting != nil, command.needsSession else { return sendAtOnce(command, answer: answer) }
    guard isBelowLimit else { return answer(nil) }
    waiting?.add(command, answer: answer)
  }

  /// Sends the commands that wait. Called once the session continues at another server, and all
  /// that stands has arrived from there.
  func sendWaiting() {
    let commands = waiting?.takeAll() ?? []
    waiting = nil
    for (command, answer) in commands { sendAtOnce(command, answer: answer) }
  }

  /// Gives up the commands that wait, because the session has not continued in time.
  func failWaiting() {
    for (_, answer) in waiting?.takeAll() ?? [] { answer(nil) }
  }

  /// Takes an event as the reply to the commands that wait for a match. It shows that the session
  /// has one, or is about to get it.
  func answerRequestsForMatch(with event: Event) {
    while let answer = waiting?.take(\.asksForMatch) { answer(event) }
  }

  /// Sends a command before those that wait.
  func sendAtOnce(_ command: Command, answer: @escaping (Event?) -> Void = { _ in }) {
    guard case .open(let connection, _, _) = connectionState else { return answer(nil) }
    guard isBelowLimit else {
      close(.silent)
      return answer(nil)
    }
    // The time limit begins at the previous command: if that was the last command to arrive, the
    // connection has been dead since then.
    let id = unanswered.add(command, until: lastSign + Self.answerTimeout, answer: answer)
    if relay == nil { lastSign = timers.now }
    line.removeAll(keepingCapacity: true)
    CommandEncoder.append(command, id: id, to: &line)
    let line = line
    // A relay looks after that itself.
    if connection.send(line.span) > Self.maxUnsent, relay == nil { close(.silent) }
  }

  /// Sends a line of a relay, with its LF.
  func send(line: [UInt8]) { connection?.send(line.span) }

  /// The number of bytes that the server has not read.
  var unsent: Int { connection?.unsent ?? 0 }

  /// While it is false, nothing is received.
  var isReading: Bool {
    get { connection?.isReading ?? true }
    set {
      connection?.isReading = newValue
      lastSign = timers.now
    }
  }

  private var connection: (any Connection)? {
    switch connectionState {
    case .greeting(let connection, _), .open(let connection, _, _): connection
    case .stopped, .idle, .connecting, .moving, .closed: nil
    }
  }

  private var isBelowLimit: Bool {
    unanswered.count + (waiting?.count ?? 0) < Self.maxUnansweredCommands
  }

  private func didConnect(_ result: Result<any Connection, LinkError>) {
    switch result {
    case .success(let connection):
      (decoder, framer) = (EventDecoder(), LineFramer(limit: ProtocolLimits.maxEventLine - 1))
      connection.delegate = self
      let timeout = timers.schedule(after: Self.answerTimeout) { [weak self] in
        self?.close(.silent)
      }
      enter(.greeting(connection, timeout: timeout))
      relay?.linkDidConnect()
    case .failure(let failure):
      close(failure)
    }
  }

  /// Cleans up after the current state and enters another one.
  private func enter(_ next: State) {
    let last = connectionState
    connectionState = next
    switch (last, next) {
    case (.connecting(let attempt), _):
      attempt.cancel()
    case (.moving(_, let timer), _):
      timer.cancel()
    case (.greeting(_, let timeout), .open):
      timeout.cancel()
    case (.greeting(let connection, let timeout), _):
      timeout.cancel()
      connection.close()
    case (.open(let connection, _, let check), _):
      check.cancel()
      connection.close()
    case (.stopped, _), (.idle, _), (.closed, _):
      break
    }
    let lost = takeLost(in: next)
    let state = next.linkState
    if state != current.value { current.send(state) }
    for (_, answer) in lost { answer(nil) }
  }

  /// Returns the commands that get no reply in a state.
  private func takeLost(in state: State) -> [UnansweredCommands.Unanswered] {
    let commands = unanswered.takeAll()
    switch state {
    case .moving:
      var all = waiting ?? WaitingCommands()
      for (command, answer) in commands where command.needsSession {
        all.add(command, answer: answer)
      }
      waiting = all
      return commands.filter { !$0.command.needsSession }
    case .connecting, .greeting, .open:
      return commands
    case .stopped, .idle, .closed:
      defer { waiting = nil }
      return commands + (waiting?.takeAll() ?? [])
    }
  }

  /// Goes on at the server of a `bye` `moved`. Without an address, or after too many moves, the
  /// connection counts as lost.
  private func move(to target: ServerAddress?, after delay: Duration) {
    guard let target, moves.allows(at: now) else { return close(.lost) }
    let timer = timers.schedule(after: delay) { [weak self] in self?.connect(to: target) }
    enter(.moving(target, timer))
  }

  /// Sends `ping` if nothing else was sent for a while, and closes the link if a reply is overdue.
  /// A move only sets `lastSign`; it needs no timer of its own.
  private func check() {
    guard case .open(let connection, let hello, _) = connectionState else { return }
    let now = timers.now
    // A connection that is not read cannot tell.
    if !connection.isReading { lastSign = now }
    if let deadline, deadline <= now { return close(.silent) }
    let interval = Self.pingInterval(for: hello)
    if now - lastSign >= interval, relay == nil || deadline == nil {
      if relay?.hasSession ?? true { send(.ping) } else { lastSign = now }
    }
    guard isOpen else { return }
    let next = [lastSign + interval, deadline].compactMap { $0 }.filter { $0 > now }.min()
    connectionState = .open(connection, hello, check: checkLater((next ?? now) - now))
  }

  /// When the link gives up; `nil` if no reply is due.
  private var deadline: Duration? {
    guard relay != nil else { return unanswered.deadline }
    return unanswered.count > 0 ? lastSign + Self.answerTimeout : nil
  }

  /// Returns the ping interval: well below the server's idle limit.
  private static func pingInterval(for hello: Hello) -> Duration {
    guard let idle = hello.limits.idle else { return pingInterval }
    return max(minPingInterval, min(pingInterval, idle / 2))
  }

  private func checkLater(_ delay: Duration) -> LoopTimer {
    timers.schedule(after: delay) { [weak self] in self?.check() }
  }

  private func handle(_ line: Span<UInt8>) {
    let event: ReceivedEvent
    do throws(LineError) { event = try decoder.decode(line) } catch {
      guard isOpen, let relay else { return close(.notOurServer) }
      return relay.link(didReceive: line, nil)
    }
    switch (connectionState, event.event) {
    case (.greeting(let connection, _), .hello(let hello))
    where hello.protocolVersion == Hello.currentProtocol:
      lastSign = timers.now
      relay?.link(didReceive: line, event)
      enter(.open(connection, hello, check: checkLater(Self.pingInterval(for: hello))))
    case (_, .bye(.moved, _, let retry, let to)):
      let usesTLS = address?.usesTLS ?? false
      let target = to.flatMap { ServerAddress($0, usesTLS: usesTLS) }
      move(to: target, after: retry ?? .zero)
    case (_, .bye(let code, let message, let retry, _)):
      relay?.link(didReceive: line, event)
      close(.bye(code, message, retry: retry))
    case (.open, _):
      if case .didLogin = event.event { moves.reset() }
      let answer =
        if let re = event.re { unanswered.take(re) } else {
          waiting?.take(answeredBy: event.event)
        }
      answer?(event.event)
      if let relay { return answer == nil ? relay.link(didReceive: line, event) : () }
      if case .error = event.event, answer != nil { return }
      received.send(event)
    case (.greeting, _), (.stopped, _), (.idle, _), (.connecting, _), (.moving, _), (.closed, _):
      close(.notOurServer)
    }
  }
}

extension ServerLink: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    if relay != nil { lastSign = timers.now }
    defer { relay?.linkDidReceiveAll() }
    var offset = 0
    while self.connection === connection {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): handle(bytes.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return close(.notOurServer)
      }
    }
  }

  func connectionDidDrain(_ connection: any Connection) { relay?.linkDidDrain() }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if self.connection === connection { close(.lost) }
  }
}

extension ServerLink: MatchConnection {}
