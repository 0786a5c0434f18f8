import Shared

/// One client's connection: lines in, as commands, and lines out. `ConnectionRegistry` holds it
/// until it is closed. It and its session hold one another until either ends; see
/// docs/decisions.md.
final class ClientConnection {
  /// With more unsent output than this, in bytes, the client's commands wait until it has read.
  static let softLimit = 65_536
  /// With more unsent output than this, in bytes, a player does not get what spectators say.
  static let chatLimit = 8_192
  /// With more unsent output than this, in bytes, the connection is reset.
  static let hardLimit = 1_048_576
  /// The same for a spectator, who has less to lose.
  static let spectatorLimit = 131_072
  /// How long commands wait for output to be read before the connection is reset.
  static let readTimeout: Duration = .seconds(10)
  /// What one client may do before all others have had their turn: lines carried out, bytes read,
  /// and bytes written because of them.
  static let linesInARow = 64
  static let bytesReadInARow = 8_192
  static let bytesWrittenInARow = 65_536

  private enum State {
    case open
    /// Commands wait, for output to be read or for others to have their turn.
    case paused(LoopTimer)
    case closed
  }

  /// The number of the connection in the log.
  let id: Int
  /// Whether the log has lines for this connection, its session and its match.
  let isLogged: Bool
  let lobby: Lobby
  let serverLog: ServerLog
  private let connection: any Connection
  private let account: ConnectionAccount
  /// What the client's address holds and does.
  let usage: AddressUsage
  private let decoder: CommandDecoder
  private let timers: any Timers
  private weak var registry: ConnectionRegistry?
  /// Its index in the registry.
  var index = 0
  var session: Session?
  private var state = State.open
  private var detector = ProtocolDetector()
  private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
  private var rate: LineRateLimiter
  private var timeouts: InactivityTimeouts
  private var timeoutTimer: LoopTimer?
  /// Bytes of output that were unsent when the last line was written.
  private var unsent = 0
  /// The `id` of the command that is carried out, until a line has taken it along as `re`.
  private(set) var reply: RequestID?
  /// Set until the connection is reset at the end of the turn.
  private var isTooSlow = false

  init(
    _ connection: any Connection, id: Int, isLogged: Bool, account: ConnectionAccount,
    rate: TokenBucket?, limits: ConnectionLimits, registry: ConnectionRegistry, lobby: Lobby,
    decoder: CommandDecoder, timers: any Timers, serverLog: ServerLog
  ) {
    self.connection = connection
    self.id = id
    self.isLogged = isLogged
    self.account = account
    usage = account.usage
    self.registry = registry
    self.lobby = lobby
    self.decoder = decoder
    self.timers = timers
    self.serverLog = serverLog
    self.rate = LineRateLimiter(rate, account.usage)
    timeouts = InactivityTimeouts(limits, from: timers.now)
    connection.retainDelegate(self)
    scheduleTimeout()
  }

  deinit {
    if case .paused(let timer) = state { timer.cancel() }
    timeoutTimer?.cancel()
  }

  /// When something last came from the client.
  var lastInput: Duration { timeouts.lastInput }

  private var isClosed: Bool {
    if case .closed = state { true } else { false }
  }
}

// MARK: - Input

extension ClientConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    timeouts.lastInput = timers.now
    serverLog.counters.bytesIn += bytes.count
    if !detector.isDone, detector.detectsTLS(bytes) { return close(with: .bye(.badProtocol)) }
    if usage.hasToWait, let wait = usage.timeToWait(at: lastInput) {
      framer.keepRest(of: bytes, from: 0)
      return pauseForOthers(wait)
    }
    read(bytes)
  }

  func connectionDidBlock(_ connection: any Connection) {
    countUnsent()
  }

  func connectionDidDrain(_ connection: any Connection) {
    countUnsent()
    resume()
  }

  /// The end of the client's input needs no goodbye; the answers that it has still go out.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    hangUp(because: end.reason)
    endSession()
  }

  /// Carries out the lines of a chunk as long as the client reads the answers.
  @inline(__always)
  private func read(_ chunk: Span<UInt8>) {
    var offset = 0
    var count = 0
    let maxBytesOut = serverLog.counters.bytesOut + Self.bytesWrittenInARow
    while offset < chunk.count {
      switch state {
      case .closed: return
      case .paused: return framer.keepRest(of: chunk, from: offset)
      case .open: break
      }
      guard count < Self.linesInARow, offset < Self.bytesReadInARow,
        serverLog.counters.bytesOut < maxBytesOut
      else {
        pauseForOthers(.zero)
        continue
      }
      count += 1
      switch framer.next(in: chunk, from: &offset) {
      case .line(let range): handle(chunk.extracting(range))
      case .joined(let line): handle(joined: line)
      case .needsMore: return
      case .tooLong: return close(with: .bye(.lineTooLong))
      }
    }
  }

  @inline(never)
  private func handle(joined line: [UInt8]) {
    handle(line.span)
  }

  @inline(__always)
  private func handle(_ line: Span<UInt8>) {
    if !detector.isDone, detector.detectsHTTP(line) { return close(with: .bye(.badProtocol)) }
    serverLog.counters.linesIn += 1
    // A move is by far the most frequent line; one without an id is read here and nowhere else.
    if let cell = CommandDecoder.bareMove(line), !serverLog.log.shows(.trace) {
      place(at: cell)
    } else {
      decode(line)
    }
    if unsent > Self.softLimit { waitForReader() }
  }

  /// Reads and carries out a line; what that takes, unless it is a move, is charged to the client's
  /// address.
  @inline(never)
  private func decode(_ line: Span<UInt8>) {
    if let (cell, id) = CommandDecoder.move(line), !serverLog.log.shows(.trace) {
      reply = id.map(RequestID.integer)
      place(at: cell)
    } else {
      let begin = timers.preciseNow
      decodeAny(line)
      usage.charge(timers.preciseNow - begin, at: timers.now)
    }
    reply = nil
  }

  private func decodeAny(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let request = try decoder.decode(line) else { return }
      if serverLog.log.shows(.trace) { trace.received(request) }
      reply = request.id
      guard mayGoOn(cost: request.command.cost) else { return }
      carryOut { () throws(CommandError) in try perform(request.command) }
    } catch {
      if serverLog.log.shows(.trace) { trace.received(error, in: line) }
      reply = error.id
      // A line that cannot be read counts, but is answered as such, whatever the rate.
      if timeToWait(cost: 1) != nil, rate.isFlood { return closeAsFlood() }
      write(.error(error))
    }
  }

  @inline(__always)
  private func place(at cell: Cell) {
    guard mayGoOn(cost: 1) else { return }
    carryOut { () throws(CommandError) in try place(at: cell, seq: nil) }
  }

  /// Whether the rates allow one more line. If they do not, the client is told.
  @inline(__always)
  private func mayGoOn(cost: Int) -> Bool {
    guard let wait = timeToWait(cost: cost) else { return true }
    refuse(wait)
    return false
  }

  /// By the time at which the line came: a client that sends very much at once gains nothing by
  /// having to wait for the others.
  @inline(__always)
  private func timeToWait(cost: Int) -> Duration? {
    rate.timeToWait(cost: cost, at: lastInput, lateness: timers.lateness)
  }

  /// The rate granted lines for the time of a stall in advance.
  func makeUp(forStall stall: Duration) { rate.makeUp(forStall: stall) }

  @inline(never)
  private func refuse(_ wait: Duration) {
    if rate.isFlood { closeAsFlood() } else { write(.error(.tooFast, retry: wait)) }
  }

  private func closeAsFlood() {
    close(with: .bye(.flood, retry: rate.timeToFill))
  }

  @inline(__always)
  private func carryOut(_ command: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try command()
    } catch {
      refuse(error)
    }
  }

  @inline(never)
  private func refuse(_ error: CommandError) {
    write(.error(error.code, message: error.message, field: error.field, retry: error.retry))
  }

  /// Lets the client's commands wait while too much of their answers is unread.
  @inline(never)
  private func waitForReader() {
    guard case .open = state, isBehind() else { return }
    pause(for: Self.readTimeout) { [unowned self] in reset() }
  }

  /// Lets the lines wait so that others have their turn.
  private func pauseForOthers(_ duration: Duration) {
    pause(for: duration) { [unowned self] in resume() }
  }

  @inline(never)
  private func pause(for duration: Duration, _ action: @escaping () -> Void) {
    connection.isReading = false
    state = .paused(timers.schedule(after: duration, action))
  }

  /// Goes on with the lines that have waited.
  private func resume() {
    guard case .paused(let timer) = state else { return }
    timer.cancel()
    if let wait = usage.timeToWait(at: timers.now) { return pauseForOthers(wait) }
    state = .open
    let rest = framer.takeRest()
    read(rest.span)
    if case .open = state { connection.isReading = true }
  }
}

// MARK: - Output

extension ClientConnection {
  @inline(never)
  func write(_ event: Event) {
    if case .error(let code, _, _, _) = event { serverLog.counters.refused[code, default: 0] += 1 }
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(event, re: reply) }
    EventEncoder.withLine(event, re: reply) { send($0) }
  }

  /// Writes a line that everybody in a match gets, as this client's copy.
  func write(line: Span<UInt8>, you: Mark?) {
    if reply == nil, you == nil, !serverLog.log.shows(.trace) {
      send(line)
    } else {
      write(copyOf: line, you: you)
    }
  }

  @inline(never)
  private func write(copyOf line: Span<UInt8>, you: Mark?) {
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(line, re: reply, you: you) }
    EventEncoder.withCopy(of: line, re: reply, you: you) { send($0) }
  }

  private func takeReply() -> RequestID? {
    guard reply != nil else { return nil }
    defer { reply = nil }
    return reply
  }

  private var trace: ConnectionTrace {
    ConnectionTrace(log: serverLog.log, connection: id, session: session?.name.text)
  }

  @inline(__always)
  private func send(_ line: Span<UInt8>) {
    serverLog.counters.bytesOut += line.count
    unsent = connection.send(line)
    if unsent > Self.spectatorLimit { checkHardLimit() }
  }

  @inline(never)
  private func checkHardLimit() {
    if unsent > Self.hardLimit { return resetSoon() }
    if case .watching = session?.place { resetSoon() }
  }

  /// Sends what the system takes.
  /// - Returns: Whether more than `limit` bytes are still unsent. Then the client's own commands
  ///   wait, and nobody may invite it: an invitation could be sent and cancelled without end.
  func isBehind(_ limit: Int = softLimit) -> Bool {
    guard connection.unsent > limit else { return false }
    connection.flush()
    return connection.unsent > limit
  }

  /// Tells the registry what is unsent at the end of a turn.
  private func countUnsent() {
    let unsent = connection.unsent
    guard registry?.setUnsent(unsent, of: account) == true, unsent > Self.chatLimit else { return }
    resetSoon()
  }

  /// What overflows may be an event of a match that others are just being told, so the reset waits
  /// until that is over.
  private func resetSoon() {
    guard !isTooSlow else { return }
    isTooSlow = true
    timers.schedule(after: .zero) { self.reset() }
  }
}

// MARK: - End

extension ClientConnection {
  /// Says goodbye and closes. What is unsent still goes out, if the client takes it.
  @inline(never)
  func close(with bye: Event) {
    hangUp(with: bye)
    endSession()
  }

  /// The first half of `close`: nothing more is said to the client.
  func hangUp(with bye: Event) {
    guard !isClosed else { return }
    write(bye)
    guard case .bye(let code, _, _) = bye else { return hangUp(because: "closed") }
    hangUp(because: code.rawValue)
  }

  private func hangUp(because reason: @autoclosure () -> String) {
    guard !isClosed else { return }
    didHangUp(because: reason())
    connection.close()
  }

  /// The second half: others are told that this client is gone.
  func endSession() {
    if let session {
      self.session = nil
      lobby.connectionDidEnd(of: session)
    }
    registry?.remove(self)
  }

  /// Breaks the connection without a goodbye, which would only wait behind what is unread.
  private func reset() {
    guard !isClosed else { return }
    didHangUp(because: ByeCode.tooSlow.rawValue)
    connection.reset()
    endSession()
  }

  private func didHangUp(because reason: @autoclosure () -> String) {
    if isLogged {
      serverLog.log.write(
        .info, "disconnected",
        [
          "connection": .number(id), "session": .text(session?.name.text),
          "reason": .text(reason()),
        ])
    }
    if case .paused(let timer) = state { timer.cancel() }
    state = .closed
    timeoutTimer?.cancel()
  }

  /// A client that is logged in need not be watched any more, unless it may not be idle.
  func didLogIn(as session: Session) {
    self.session = session
    timeouts.didLogIn()
    guard timeouts.deadline == nil else { return }
    timeoutTimer?.cancel()
    timeoutTimer = nil
  }

  private func scheduleTimeout() {
    guard let deadline = timeouts.deadline else { return }
    timeoutTimer = timers.schedule(after: deadline - timers.now) { [unowned self] in
      checkTimeouts()
    }
  }

  private func checkTimeouts() {
    // While commands wait, nothing is read: the client is not idle.
    if case .paused = state { timeouts.lastInput = timers.now }
    if let code = timeouts.expired(at: timers.now) {
      close(with: .bye(code, retry: .zero))
    } else {
      scheduleTimeout()
    }
  }
}
