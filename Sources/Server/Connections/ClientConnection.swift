import Shared

/// The reading half of a client's connection: takes its bytes apart into lines, limits them, and
/// lets `ClientCommands` carry them out. `ConnectionRegistry` holds it until it is closed.
final class ClientConnection {
  /// How long commands wait for the client to read before its connection is reset.
  static let readTimeout: Duration = .seconds(10)
  /// After this many lines, bytes read, or bytes written in response, the connection lets others
  /// continue.
  static let maxBatchLines = 64
  static let maxBatchBytesRead = 8_192
  static let maxBatchBytesWritten = 65_536

  enum State {
    case open
    /// Commands wait until the client has read, or until other connections have continued.
    case paused(LoopTimer)
    /// Commands wait until the one before has its answer.
    case waiting(PendingAnswer)
    case closed
  }

  /// The writing half.
  let outlet: ClientOutlet
  let connection: any Connection
  let usage: ConnectionUsage
  // Copies of what the context has: a hop would cost a move 60 instructions.
  private let decoder: CommandDecoder
  let timers: any Timers
  let serverLog: ServerLog
  private let context: ConnectionContext
  private(set) weak var registry: ConnectionRegistry?
  /// Its index in the registry.
  var index = 0
  var state = State.open
  /// Whether the server has room only for players who resume: a login gets `full`.
  var onlyResumes = false
  private var detector = ProtocolDetector()
  private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
  private var rate: LineRateLimiter
  var timeouts: InactivityTimeouts
  var timeoutTimer: LoopTimer?

  init(
    _ connection: any Connection, outlet: ClientOutlet, usage: ConnectionUsage,
    rate: TokenBucket?, limits: ConnectionLimits, registry: ConnectionRegistry,
    context: ConnectionContext
  ) {
    self.connection = connection
    self.outlet = outlet
    self.usage = usage
    self.registry = registry
    self.context = context
    decoder = context.decoder
    timers = context.timers
    serverLog = context.serverLog
    self.rate = LineRateLimiter(rate, usage.address)
    timeouts = InactivityTimeouts(limits, from: context.timers.now)
    outlet.reader = self
    connection.retainDelegate(self)
    scheduleTimeout()
  }

  deinit {
    if case .paused(let timer) = state { timer.cancel() }
    timeoutTimer?.cancel()
  }

  var lobby: Lobby { context.lobby }

  /// The time of the client's last input.
  var lastInput: Duration { timeouts.lastInput }

  var commands: ClientCommands { ClientCommands(client: self) }
}

extension ClientConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    timeouts.lastInput = timers.now
    serverLog.counters.bytesIn += bytes.count
    if !detector.isDone, detector.detectsTLS(bytes) { return close(with: .bye(.badProtocol)) }
    if usage.address.hasToWait, let wait = usage.address.timeToWait(at: lastInput) {
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

  /// Reports the unsent bytes at the end of a turn to the registry.
  private func countUnsent() {
    let unsent = connection.unsent
    guard registry?.setUnsent(unsent, of: usage) == true, unsent > ClientOutlet.chatLimit else {
      return
    }
    outlet.resetSoon()
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
    if outlet.unsent > ClientOutlet.softLimit { waitForReader() }
  }

  /// Decodes and carries out a line. The time that it takes counts for the client's address, unless
  /// it is a move.
  @inline(never)
  private func decode(_ line: Span<UInt8>) {
    if let (cell, id) = CommandDecoder.move(line), !serverLog.log.shows(.trace) {
      outlet.reply = ReplyHeader(id: id.map(RequestID.integer))
      place(at: cell)
    } else {
      let begin = timers.preciseNow
      decodeAny(line)
      usage.address.charge(timers.preciseNow - begin, at: timers.now)
    }
    outlet.reply = ReplyHeader()
  }

  private func decodeAny(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let request = try decoder.decode(line) else { return }
      if serverLog.log.shows(.trace) { outlet.trace.received(request) }
      outlet.reply = ReplyHeader(id: request.id, hint: request.hint)
      serverLog.counters.count(request.command.type)
      guard takeTokens(cost: request.command.cost) else { return }
      carryOut { () throws(CommandError) in try commands.perform(request.command) }
    } catch {
      if serverLog.log.shows(.trace) { outlet.trace.received(error, in: line) }
      outlet.reply = ReplyHeader(id: error.id, hint: error.hint)
      // A line with an error counts in the rate, but even above the rate it gets its own error.
      if timeToWait(cost: 1) != nil, rate.isFlood { return closeAsFlood() }
      outlet.write(.error(error))
    }
  }

  @inline(__always)
  private func place(at cell: Cell) {
    serverLog.counters.plainMoves &+= 1
    guard takeTokens(cost: 1) else { return }
    carryOut { () throws(CommandError) in
      try ClientCommands.place(at: cell, seq: nil, by: outlet.session)
    }
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
    if rate.isFlood { closeAsFlood() } else { outlet.write(.error(.tooFast, retry: wait)) }
  }

  private func closeAsFlood() {
    close(with: .bye(.flood, retry: rate.timeToFill))
  }

  @inline(__always)
  func carryOut(_ command: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try command()
    } catch {
      refuse(error)
    }
  }

  @inline(never)
  private func refuse(_ error: CommandError) {
    outlet.write(.error(error.code, message: error.message, field: error.field, retry: error.retry))
  }

  /// Pauses while the client has too many unread bytes.
  @inline(never)
  private func waitForReader() {
    guard case .open = state, outlet.isBehind() else { return }
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

  /// Ends a pause.
  private func resume() {
    guard case .paused(let timer) = state else { return }
    timer.cancel()
    readOn()
  }

  /// Carries out the lines that have waited, and reads again.
  func readOn() {
    if let wait = usage.address.timeToWait(at: timers.now) { return pauseForOthers(wait) }
    state = .open
    let rest = framer.takeRest()
    let (lines, wait) = (serverLog.counters.linesIn, timers.now - lastInput)
    read(rest.span)
    serverLog.metrics?.replies.didHandle(serverLog.counters.linesIn - lines, after: wait)
    if case .open = state { connection.isReading = true }
  }
}
