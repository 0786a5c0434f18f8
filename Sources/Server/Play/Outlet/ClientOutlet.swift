import Shared

/// The writing half of a client's connection: all that sessions and matches know of it. It writes
/// lines, and limits those that the client has not read. A session and its outlet hold each other
/// until either ends; see docs/decisions.md.
final class ClientOutlet {
  /// With more bytes of unsent output than this, the client's commands wait until it has read.
  static let softLimit = 65_536
  /// With more bytes of unsent output than this, a player gets no chat from spectators.
  static let chatLimit = 8_192
  /// With more bytes of unsent output than this, the connection is reset.
  static let hardLimit = 1_048_576
  /// The same for a spectator, who loses less in a reset.
  static let spectatorLimit = 131_072

  /// The number of the connection in the log.
  let id: Int
  /// Whether the connection, its session and its match have log lines of their own.
  let isLogged: Bool
  /// The usage of the client's address.
  let usage: AddressUsage
  let serverLog: ServerLog
  private let connection: any Connection
  private let timers: any Timers
  /// The reading half, which outlives each session of the connection.
  unowned var reader: (any ClientReader)?
  /// `nil` before the login, and after the end of the session.
  var session: Session?
  /// The number of unsent bytes after the last line was written.
  private(set) var unsent = 0
  /// What the reply to the current command has to carry, until a line has carried it.
  var reply = ReplyHeader()
  /// Whether the connection will be reset at the end of the turn.
  private var isTooSlow = false

  init(
    _ connection: any Connection, id: Int, isLogged: Bool, usage: AddressUsage,
    timers: any Timers, serverLog: ServerLog
  ) {
    self.connection = connection
    self.id = id
    self.isLogged = isLogged
    self.usage = usage
    self.timers = timers
    self.serverLog = serverLog
  }

  /// The client's address.
  var peerAddress: SocketAddress { connection.peerAddress }

  @inline(never)
  func write(_ event: Event) {
    if case .error(let code, _, _, _) = event { serverLog.counters.refused[code, default: 0] += 1 }
    if case .bye(let code, _, _, _) = event { serverLog.counters.goodbyes[code, default: 0] += 1 }
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(event, re: reply.id) }
    guard let hint = reply.hint else {
      return EventEncoder.withLine(event, re: reply.id) { send($0) }
    }
    EventEncoder.withLine(event) { line in
      EventEncoder.withCopy(of: line, re: reply.id, hint: hint.text) { send($0) }
    }
  }

  /// Writes the reply to `board`.
  @inline(never)
  func write(_ board: Board, of match: String) {
    let reply = takeReply()
    EventEncoder.withLine(board: board, match: match, re: reply.id) { line in
      if serverLog.log.shows(.trace) { trace.sent(line, re: nil, you: nil) }
      send(line)
    }
  }

  /// Writes this client's copy of a line that everyone in a match gets.
  func write(line: Span<UInt8>, you: Mark?) {
    if reply.isEmpty, you == nil, !serverLog.log.shows(.trace) {
      send(line)
    } else {
      write(copyOf: line, you: you)
    }
  }

  @inline(never)
  private func write(copyOf line: Span<UInt8>, you: Mark?) {
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(line, re: reply.id, you: you) }
    EventEncoder.withCopy(of: line, re: reply.id, hint: reply.hint?.text, you: you) { send($0) }
  }

  private func takeReply() -> ReplyHeader {
    defer { reply = ReplyHeader() }
    return reply
  }

  var trace: ConnectionTrace {
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

  /// Resets later in this turn: the line that overflows may be an event of a match that is still
  /// being sent to others.
  func resetSoon() {
    guard !isTooSlow, let reader else { return }
    isTooSlow = true
    timers.schedule(after: .zero) { reader.reset() }
  }

  /// Drops what waits to be stored before it is sent.
  func dropHeldOutput() { connection.dropHeldOutput() }

  /// Writes `bye` and closes the connection. Unsent bytes are still sent, if the client reads them.
  func close(with bye: Event) { reader?.close(with: bye) }
}

/// The reading half of a client's connection, as its outlet sees it.
protocol ClientReader: AnyObject {
  /// Writes `bye` and closes. The session of the connection ends, or waits for a `resume`.
  func close(with bye: Event)
  /// Closes without `bye`, which would only queue after unread bytes.
  func reset()
  /// Goes to another server with the player, whose request is still open here.
  func follow(_ request: PendingRequest, by route: Route)
}
