import Shared

/// A connection of the operator: decodes its lines, has the commands carried out one by one, and
/// writes the replies. `AdminServer` holds it until it is closed.
final class AdminConnection {
  /// With more unsent output than this, commands wait until the operator has read.
  static let maxUnsent = 65_536
  /// How long they wait before the connection is reset.
  static let readTimeout: Duration = .seconds(10)

  private enum State {
    case open
    /// The answer to a command has not come.
    case answering
    /// Everything else in the process has its turn, or the operator has to read first.
    case paused(LoopTimer)
    case closed
  }

  private let connection: any Connection
  private let commands: AdminCommands
  private let access: AdminAccess
  private let timers: any Timers
  private let didClose: (AdminConnection) -> Void
  private var state = State.open
  private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
  private var decoder = LineDecoder.forAdmin
  /// The user and the process at the other end; `nil` where the system does not say.
  private let peer: PeerCredentials?
  /// The command that is being carried out.
  private var command: AdminCommand?

  init(
    _ connection: any Connection, commands: AdminCommands, access: AdminAccess,
    timers: any Timers,
    didClose: @escaping (AdminConnection) -> Void
  ) {
    self.connection = connection
    self.commands = commands
    self.access = access
    self.timers = timers
    self.didClose = didClose
    peer = (connection as? TCPConnection)?.peerCredentials
    connection.delegate = self
    send(
      AdminReply("hello") { line in
        line.put("server", "tictactoe-server \(Version.current)")
        line.put("help", "Type: help")
      })
  }

  /// Writes `bye`, and nothing after it.
  func close(with code: ByeCode) {
    if case .closed = state { return }
    send(.bye(code))
    end()
    connection.close()
  }

  private func end() {
    if case .paused(let timer) = state { timer.cancel() }
    state = .closed
    didClose(self)
  }

  private func read(_ chunk: Span<UInt8>) {
    var offset = 0
    while offset < chunk.count {
      switch state {
      case .closed: return
      case .answering, .paused: return framer.keepRest(of: chunk, from: offset)
      case .open: break
      }
      switch framer.next(in: chunk, from: &offset) {
      case .line(let range): handle(chunk.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return close(with: .lineTooLong)
      }
    }
  }

  private func handle(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let decoded = try decoder.decode(line) else { return }
      begin(AdminCommand.allCases[decoded.spec], decoded.id)
    } catch {
      let text = line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      log(nil, line: text, refused: error.code, nil)
      send(.error(error), error.id)
      pause()
    }
  }

  private func begin(_ command: AdminCommand, _ re: RequestID?) {
    if command == .quit { return close(with: .quit) }
    state = .answering
    self.command = command
    connection.isReading = false
    do throws(CommandError) {
      try commands.perform(command, decoder, by: access) { [weak self] result in
        self?.finish(result, re)
      }
    } catch {
      finish(.failure(error), re)
    }
  }

  private func finish(_ result: Result<AdminReply, CommandError>, _ re: RequestID?) {
    switch result {
    case .success(let reply): log(command, reply.message)
    case .failure(let error): log(command, refused: error.code, error.message)
    }
    guard case .answering = state else { return }
    switch result {
    case .success(let reply): send(reply, re)
    case .failure(let error):
      send(
        .error(error.code, message: error.message, field: error.field, retry: error.retry), re)
    }
    pause()
  }

  /// Writes who has asked for what, and what has come of it. `line` is one that is no command. No
  /// command has a secret, and neither has the message of a reply.
  private func log(
    _ command: AdminCommand?, line: String? = nil, refused: ErrorCode? = nil, _ text: String?
  ) {
    commands.serverLog.log.write(
      .info, "admin",
      [
        "uid": .number(peer?.user), "pid": .number(peer?.process),
        "command": .text(command?.rawValue), "line": .text(line),
        "refused": .text(refused?.rawValue), "text": .words(text),
      ])
  }

  /// One command is carried out in a turn, so that the games go on between two.
  private func pause() {
    connection.isReading = false
    connection.flush()
    let isBehind = connection.unsent > Self.maxUnsent
    state = .paused(
      timers.schedule(after: isBehind ? Self.readTimeout : .zero) { [weak self] in
        if isBehind { self?.reset() } else { self?.readOn() }
      })
  }

  private func readOn() {
    guard case .paused(let timer) = state else { return }
    timer.cancel()
    state = .open
    let rest = framer.takeRest()
    read(rest.span)
    if case .open = state { connection.isReading = true }
  }

  private func reset() {
    end()
    connection.reset()
  }

  private func send(_ reply: AdminReply, _ re: RequestID? = nil) {
    var bytes: [UInt8] = []
    reply.append(re: re, to: &bytes)
    connection.send(bytes.span)
  }

  private func send(_ event: Event, _ re: RequestID? = nil) {
    EventEncoder.withLine(event, re: re) { _ = connection.send($0) }
  }
}

extension AdminConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) { read(bytes) }

  func connectionDidDrain(_ connection: any Connection) { readOn() }

  /// At the end of the input all replies have been sent, because nothing is read before.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if case .closed = state { return }
    self.end()
    connection.close()
  }
}
