import Shared

/// One client's connection: its lines in, as commands, and the lines out. `Clients` holds it until
/// it is closed. Its session, if it has one, is another life: the two hold one another until either
/// ends, since a weak reference would make each reference to them dear to count.
final class ClientConnection {
  /// Longest line accepted, in bytes, newline excluded.
  static let longestLine = ProtocolLimits.maxCommandLine
  /// With more unsent output than this, in bytes, the client's commands wait until it has read.
  static let softLimit = 65_536
  /// With more unsent output than this, in bytes, a player is spared what spectators say.
  static let chatLimit = 8_192
  /// With more unsent output than this, in bytes, the connection is closed.
  static let hardLimit = 1_048_576
  /// So many lines of one client are carried out, or so many bytes of them read, or so many bytes
  /// written because of them, before all others have had their turn.
  static let linesInARow = 64
  static let bytesReadInARow = 8_192
  static let bytesWrittenInARow = 65_536
  /// How long commands wait for output to be read before the connection is closed.
  static let patience: Duration = .seconds(10)

  enum Life {
    /// The first two bytes tell whether this is a client at all.
    case fresh
    /// So does the second, where the first has come alone.
    case halfOfTLS
    /// So does the first line.
    case begun
    case open
    /// Its commands wait: until too much unsent output has gone out, or for the others.
    case paused(LoopTimer)
    case closed
  }

  let lobby: Lobby
  /// The number of the connection, for who reads the log.
  let id: Int
  var session: Session?
  /// The place in the list of `clients`.
  var position = 0
  private weak var clients: Clients?
  let connection: any Connection
  let decoder: CommandDecoder
  let timers: any Timers
  let journal: Journal
  var rate: LineRate?
  var silence: Silence
  /// Looks after the silence.
  private var watchdog: LoopTimer?
  var framer = LineFramer(limit: longestLine)
  var life = Life.fresh
  /// Bytes of output that are unsent, or have been when the last line was written.
  var unsent = 0
  /// The `id` of the command that is being carried out, until a line has taken it along as `re`.
  var reply: RequestID?
  /// Set while it waits to be closed as too slow.
  private var isTooSlow = false

  init(
    connection: any Connection, id: Int, clients: Clients, lobby: Lobby, decoder: CommandDecoder,
    timers: any Timers, limits: ConnectionLimits, rate: LineRate?, journal: Journal
  ) {
    self.connection = connection
    self.id = id
    self.journal = journal
    self.clients = clients
    self.lobby = lobby
    self.decoder = decoder
    self.timers = timers
    self.rate = rate
    silence = Silence(limits, from: timers.now)
    connection.keep(self)
    watchSilence()
  }

  deinit {
    if case .paused(let timer) = life { timer.cancel() }
    watchdog?.cancel()
  }

  var peerAddress: SocketAddress { connection.peerAddress }

  @inline(never)
  func write(_ event: Event) {
    if case .error(let code, _, _, _) = event { journal.counters.refused[code, default: 0] += 1 }
    let reply = takeReply()
    if journal.log.shows(.trace) { trace(event, re: reply) }
    EventEncoder.withLine(event, re: reply) { send($0) }
  }

  /// Writes a line that all in a match get, as this client's copy.
  func write(line: Span<UInt8>, you: Mark?) {
    if reply == nil, you == nil, !journal.log.shows(.trace) {
      send(line)
    } else {
      write(copyOf: line, you: you)
    }
  }

  @inline(never)
  private func write(copyOf line: Span<UInt8>, you: Mark?) {
    let reply = takeReply()
    if journal.log.shows(.trace) { trace(line, re: reply, you: you) }
    EventEncoder.withCopy(of: line, re: reply, you: you) { send($0) }
  }

  @inline(__always)
  private func send(_ line: Span<UInt8>) {
    journal.counters.bytesOut += line.count
    unsent = connection.send(line)
    if unsent > Self.hardLimit { closeAsTooSlow() }
  }

  /// Sends what can be sent, and answers whether too much is left: then the client's own commands
  /// wait, and nobody may invite it, for an invitation can be sent and taken back for ever.
  func isBehind(_ most: Int = softLimit) -> Bool {
    guard connection.unsent > most else { return false }
    connection.flush()
    return connection.unsent > most
  }

  /// Says goodbye and closes. What is unsent still goes out, if the client takes it.
  @inline(never)
  func close(with bye: Event) {
    hangUp(with: bye)
    endSession()
  }

  /// The first half of `close`: nothing more is said to the client.
  func hangUp(with bye: Event) {
    if case .closed = life { return }
    write(bye)
    guard case .bye(let code, _, _) = bye else { return hangUp(because: "closed") }
    hangUp(because: code.rawValue)
  }

  func hangUp(because reason: @autoclosure () -> String) {
    if case .closed = life { return }
    journal.log.write(
      .info, "disconnected",
      [
        "connection": .number(id), "session": .text(session?.name.text), "reason": .text(reason()),
      ])
    if case .paused(let timer) = life { timer.cancel() }
    life = .closed
    watchdog?.cancel()
    connection.close()
  }

  /// The second half: others are told that this client is gone.
  func endSession() {
    if let session {
      self.session = nil
      lobby.connectionDidEnd(of: session)
    }
    clients?.remove(self)
  }

  private func takeReply() -> RequestID? {
    guard reply != nil else { return nil }
    defer { reply = nil }
    return reply
  }

  /// Logged in, a client need not be watched any more, unless it may not be silent.
  func didLogIn(as session: Session) {
    self.session = session
    silence.didLogIn()
    guard silence.deadline == nil else { return }
    watchdog?.cancel()
    watchdog = nil
  }

  private func watchSilence() {
    guard let deadline = silence.deadline else { return }
    watchdog = timers.schedule(after: deadline - timers.now) { [unowned self] in checkSilence() }
  }

  private func checkSilence() {
    // While commands wait, nothing is read: that is no silence of the client's.
    if case .paused = life { silence.lastInput = timers.now }
    if let code = silence.verdict(at: timers.now) {
      close(with: .bye(code, retry: .zero))
    } else {
      watchSilence()
    }
  }

  /// What overflows may be an event of a match that others are just being told, so the closing
  /// waits until that is over.
  @inline(never)
  private func closeAsTooSlow() {
    guard !isTooSlow else { return }
    isTooSlow = true
    timers.schedule(after: .zero) { self.close(with: .bye(.tooSlow)) }
  }
}
