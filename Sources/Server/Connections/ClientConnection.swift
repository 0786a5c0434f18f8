import Shared

/// A client's connection: decodes its lines, carries out the commands, and writes lines.
/// `ConnectionRegistry` holds it until it is closed. A connection and its session hold each other
/// until either ends; see docs/decisions.md.
final class ClientConnection {
  /// With more bytes of unsent output than this, the client's commands wait until it has read.
  static let softLimit = 65_536
  /// With more bytes of unsent output than this, a player gets no chat from spectators.
  static let chatLimit = 8_192
  /// With more bytes of unsent output than this, the connection is reset.
  static let hardLimit = 1_048_576
  /// The same for a spectator, who loses less in a reset.
  static let spectatorLimit = 131_072
  /// How long commands wait for the client to read before its connection is reset.
  static let readTimeout: Duration = .seconds(10)
  /// After this many lines, bytes read, or bytes written in response, the connection lets others
  /// continue.
  static let maxBatchLines = 64
  static let maxBatchBytesRead = 8_192
  static let maxBatchBytesWritten = 65_536

  private enum State {
    case open
    /// Commands wait until the client has read, or until other connections have continued.
    case paused(LoopTimer)
    /// Commands wait until the one before has its answer.
    case waiting(PendingAnswer)
    case closed
  }

  /// The number of the connection in the log.
  let id: Int
  /// Whether the connection, its session and its match have log lines of their own.
  let isLogged: Bool
  let lobby: Lobby
  let serverLog: ServerLog
  private let connection: any Connection
  private let account: ConnectionAccount
  /// The usage of the client's address.
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
  /// The number of unsent bytes after the last line was written.
  private var unsent = 0
  /// The `id` of the current command, until a line has carried it as `re`.
  private(set) var replyID: RequestID?
  /// Whether the connection will be reset at the end of the turn.
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

  /// The client's address.
  var peerAddress: SocketAddress { connection.peerAddress }

  /// The time of the client's last input.
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

  /// The end of the input gets no `bye`. Queued replies are still sent.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    hangUp(because: end.reason)
    endSession()
  }

  /// Carries out the lines of a chunk, as long as the client reads the replies.
  @inline(__always)
  private func read(_ chunk: Span<UInt8>) {
    var offset = 0
    var count = 0
    let maxBytesOut = serverLog.counters.bytesOut + Self.maxBatchBytesWritten
    while offset < chunk.count {
      switch state {
      case .closed: return
      case .paused, .waiting: return framer.keepRest(of: chunk, from: offset)
      case .open: break
      }
      guard count < Self.maxBatchLines, offset < Self.maxBatchBytesRead,
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
    // A move is by far the most frequent line. Only this line decodes a move without an id.
    if let cell = CommandDecoder.bareMove(line), !serverLog.log.shows(.trace) {
      place(at: cell)
    } else {
      decode(line)
    }
    if unsent > Self.softLimit { waitForReader() }
  }

  /// Decodes and carries out a line. The time that it takes counts for the client's address, unless
  /// it is a move.
  @inline(never)
  private func decode(_ line: Span<UInt8>) {
    if let (cell, id) = CommandDecoder.move(line), !serverLog.log.shows(.trace) {
      replyID = id.map(RequestID.integer)
      place(at: cell)
    } else {
      let begin = timers.preciseNow
      decodeAny(line)
      usage.charge(timers.preciseNow - begin, at: timers.now)
    }
    replyID = nil
  }

  private func decodeAny(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let request = try decoder.decode(line) else { return }
      if serverLog.log.shows(.trace) { trace.received(request) }
      replyID = request.id
      serverLog.counters.count(request.command.type)
      guard takeTokens(cost: request.command.cost) else { return }
      carryOut { () throws(CommandError) in try perform(request.command) }
    } catch {
      if serverLog.log.shows(.trace) { trace.received(error, in: line) }
      replyID = error.id
      // A line with an error counts in the rate, but even above the rate it gets its own error.
      if timeToWait(cost: 1) != nil, rate.isFlood { return closeAsFlood() }
      write(.error(error))
    }
  }

  @inline(__always)
  private func place(at cell: Cell) {
    serverLog.counters.plainMoves &+= 1
    guard takeTokens(cost: 1) else { return }
    carryOut { () throws(CommandError) in try place(at: cell, seq: nil) }
  }

  /// Takes the tokens of a line. Returns false if there are not enough; the client then gets
  /// `tooFast`.
  @inline(__always)
  private func takeTokens(cost: Int) -> Bool {
    guard let wait = timeToWait(cost: cost) else { return true }
    refuse(wait)
    return false
  }

  /// Uses the time at which the line arrived, so that a client gains no tokens while its lines wait
  /// for others.
  @inline(__always)
  private func timeToWait(cost: Int) -> Duration? {
    rate.timeToWait(cost: cost, at: lastInput, lateness: timers.lateness)
  }

  /// Counts a stall, during which lines were granted in advance.
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

  /// Pauses while the client has too many unread bytes.
  @inline(never)
  private func waitForReader() {
    guard case .open = state, isBehind() else { return }
    pause(for: Self.readTimeout) { [unowned self] in reset() }
  }

  /// Pauses so that other connections can continue.
  private func pauseForOthers(_ duration: Duration) {
    pause(for: duration) { [unowned self] in resume() }
  }

  @inline(never)
  private func pause(for duration: Duration, _ action: @escaping () -> Void) {
    connection.isReading = false
    state = .paused(timers.schedule(after: duration, action))
  }

  /// Lets `ask` begin something whose answer may come later, on this thread. Until then the
  /// connection's other commands wait. `finish` gets the answer, unless the connection has ended
  /// before, and carries out the rest of the command.
  func wait<Answer>(
    for ask: (PendingAnswer, @escaping (Answer) -> Void) throws(CommandError) -> Void,
    then finish: @escaping (Answer) throws(CommandError) -> Void
  ) throws(CommandError) {
    let pending = PendingAnswer(self, replyID)
    state = .waiting(pending)
    do throws(CommandError) {
      try ask(pending) { answer in
        pending.connection?.finish(pending) { () throws(CommandError) in try finish(answer) }
      }
    } catch {
      pending.connection = nil
      state = .open
      throw error
    }
    pending.isLate = true
    guard case .waiting = state else { return }
    connection.isReading = false
    serverLog.metrics?.replies.didPostpone()
  }

  /// Carries out the rest of a command whose answer has come.
  private func finish(
    _ pending: PendingAnswer, _ rest: () throws(CommandError) -> Void
  ) {
    pending.connection = nil
    state = .open
    guard pending.isLate else { return carryOut(rest) }
    serverLog.metrics?.replies.didAnswer(after: timers.now - lastInput)
    replyID = pending.replyID
    carryOut(rest)
    replyID = nil
    if case .open = state { readOn() }
  }

  /// Continues with the lines that have waited.
  private func resume() {
    guard case .paused(let timer) = state else { return }
    timer.cancel()
    readOn()
  }

  private func readOn() {
    if let wait = usage.timeToWait(at: timers.now) { return pauseForOthers(wait) }
    state = .open
    let rest = framer.takeRest()
    let (lines, wait) = (serverLog.counters.linesIn, timers.now - lastInput)
    read(rest.span)
    serverLog.metrics?.replies.didHandle(serverLog.counters.linesIn - lines, after: wait)
    if case .open = state { connection.isReading = true }
  }
}

// MARK: - Output

extension ClientConnection {
  @inline(never)
  func write(_ event: Event) {
    if case .error(let code, _, _, _) = event { serverLog.counters.refused[code, default: 0] += 1 }
    if case .bye(let code, _, _, _) = event { serverLog.counters.goodbyes[code, default: 0] += 1 }
    let replyID = takeReplyID()
    if serverLog.log.shows(.trace) { trace.sent(event, re: replyID) }
    EventEncoder.withLine(event, re: replyID) { send($0) }
  }

  /// Writes this client's copy of a line that everyone in a match gets.
  func write(line: Span<UInt8>, you: Mark?) {
    if replyID == nil, you == nil, !serverLog.log.shows(.trace) {
      send(line)
    } else {
      write(copyOf: line, you: you)
    }
  }

  @inline(never)
  private func write(copyOf line: Span<UInt8>, you: Mark?) {
    let replyID = takeReplyID()
    if serverLog.log.shows(.trace) { trace.sent(line, re: replyID, you: you) }
    EventEncoder.withCopy(of: line, re: replyID, you: you) { send($0) }
  }

  private func takeReplyID() -> RequestID? {
    guard replyID != nil else { return nil }
    defer { replyID = nil }
    return replyID
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

  /// Tries to send the unsent bytes.
  ///
  /// - Returns: whether more than `limit` bytes are still unsent.
  func isBehind(_ limit: Int = softLimit) -> Bool {
    guard connection.unsent > limit else { return false }
    connection.flush()
    return connection.unsent > limit
  }

  /// Reports the unsent bytes at the end of a turn to the registry.
  private func countUnsent() {
    let unsent = connection.unsent
    guard registry?.setUnsent(unsent, of: account) == true, unsent > Self.chatLimit else { return }
    resetSoon()
  }

  /// Resets later in this turn: the line that overflows may be an event of a match that is still
  /// being sent to others.
  private func resetSoon() {
    guard !isTooSlow else { return }
    isTooSlow = true
    timers.schedule(after: .zero) { self.reset() }
  }
}

// MARK: - End

extension ClientConnection {
  /// Writes `bye` and closes. Unsent bytes are still sent, if the client reads them.
  @inline(never)
  func close(with bye: Event) {
    hangUp(with: bye)
    endSession()
  }

  /// The first half of `close`: writes `bye`, and nothing after it.
  func hangUp(with bye: Event) {
    guard !isClosed else { return }
    write(bye)
    guard case .bye(let code, _, _, _) = bye else { return hangUp(because: "closed") }
    hangUp(because: code.rawValue)
  }

  private func hangUp(because reason: @autoclosure () -> String) {
    guard !isClosed else { return }
    didHangUp(because: reason())
    connection.close()
  }

  /// The second half of `close`: informs the lobby and the registry that the connection has ended.
  func endSession() {
    if let session {
      self.session = nil
      lobby.connectionDidEnd(of: session)
    }
    registry?.remove(self)
  }

  /// Resets the connection without `bye`, which would only queue after unread bytes.
  private func reset() {
    guard !isClosed else { return }
    serverLog.counters.goodbyes[.tooSlow, default: 0] += 1
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
    switch state {
    case .paused(let timer): timer.cancel()
    case .waiting(let pending): pending.connection = nil
    case .open, .closed: break
    }
    state = .closed
    timeoutTimer?.cancel()
  }

  /// Sets the session, and stops the timer unless idle clients are disconnected.
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
    // While commands wait, nothing is read, so the client does not count as idle.
    switch state {
    case .paused, .waiting: timeouts.lastInput = timers.now
    case .open, .closed: break
    }
    if let code = timeouts.expired(at: timers.now) {
      close(with: .bye(code, retry: .zero))
    } else {
      scheduleTimeout()
    }
  }
}

/// A command whose answer has not come. It holds its connection, until the answer comes or the
/// connection ends: a weak reference would slow down every retain and release of the connection.
final class PendingAnswer {
  fileprivate(set) var connection: ClientConnection?
  fileprivate let replyID: RequestID?
  /// Whether the answer did not come at once.
  fileprivate var isLate = false

  fileprivate init(_ connection: ClientConnection, _ replyID: RequestID?) {
    self.connection = connection
    self.replyID = replyID
  }
}
