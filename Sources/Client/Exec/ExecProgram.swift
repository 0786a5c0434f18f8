import Foundation
import RIBs
import Shared

/// The client without its tree: a program plays, and the lines between it and the server pass
/// through, except that a login may get a password. While one side does not read, the other side is
/// not read either. When the server moves the session to another one, or the connection is lost,
/// the session continues on a new connection; the program notices at most a snapshot.
final class ExecProgram {
  /// The number of bytes kept for a side that does not read.
  static let maxBuffered = 65_536
  /// The number of lines kept while the session moves.
  static let maxWaiting = 1_000
  /// How long a program's last lines wait for the session to move.
  static let leaveTimeout: Duration = .seconds(2)

  private let command: String
  private let address: ServerAddress
  private let loop: EventLoop
  private let tls: TLSContext?
  /// `nil` while the session moves, and at the end.
  private var connection: (any Connection)?
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
  private var session: ProgramSession
  private var moves = MoveLimiter()
  /// Continues the session on another connection; `nil` while there is one.
  private var reconnector: Reconnector?
  /// Whether the connection was lost, and did not move.
  private var isLost = false
  private let tokens: TokenFile
  private var silence = Silence()
  private var pingTimer: LoopTimer?
  /// The last attempt of the reconnector.
  private var resumption: ProgramResumption?
  private var child: ChildProgram?
  /// The lines for the program that have not been passed on yet.
  private var output: [UInt8] = []
  private var hasGoodbye = false
  private var completer: LoginCompleter
  private var report: ExitReport?
  private var isInterrupted = false
  /// What happens as soon as the session has moved, because the program has ended meanwhile.
  private var actionsAfterMove: [() -> Void] = []
  private var isOver = false

  /// `password` is added to the program's logins. `tokens` keeps the token of the session for the
  /// next start. With `tls`, the connection uses it; the program does not notice.
  init(
    _ command: String, password: String?, address: ServerAddress, tokens: TokenFile,
    loop: EventLoop, tls: TLSContext?
  ) {
    self.tls = tls
    self.tokens = tokens
    session = ProgramSession(usesTLS: address.usesTLS) { name in
      tokens.take(for: TokenOwner(address: address, name: name))
    }
    completer = LoginCompleter(password: password)
    self.command = command
    self.address = address
    self.loop = loop
  }

  /// Lets the command play until it exits, the server closes the connection for good, or the
  /// session is lost.
  func run() throws(SystemError) -> ExitReport {
    // The child does not inherit these, because Dispatch sets handlers.
    let signals = try [SIGINT, SIGTERM].map { number throws(SystemError) in
      try SignalSource(loop: loop, signal: number) { [unowned self] in interrupt() }
    }
    defer { for signal in signals { signal.cancel() } }
    let connecting = loop.connect(host: address.host, port: address.port, tls: tls) {
      [unowned self] in didConnect($0)
    }
    defer { connecting.cancel() }
    while !isOver { try loop.turn(wait: nil) }
    return report ?? ExitReport(code: .ok)
  }

  private func didConnect(_ result: Result<any Connection, LinkError>) {
    switch result {
    case .success(let connection):
      self.connection = connection
      connection.delegate = self
      didHear()
      start()
    case .failure(let failure):
      end(failure.exitReport(from: address))
      isOver = true
    }
  }

  private func start() {
    do {
      let child = try ChildProgram(command: command, loop: loop)
      self.child = child
      child.delegate = self
      StandardOutput.printError("\(title) is playing at \(address).".printable)
    } catch {
      end(ExitReport(code: .ioError, sentence: "\(title) cannot be started: \(error)."))
      leave()
    }
  }

  private var title: String { "“\(command.printable)”" }

  /// The first signal ends the program and the connection in an orderly way. The second one does
  /// not wait.
  private func interrupt() {
    end(ExitReport(code: .ok, sentence: nil))
    closeConnection()
    if child == nil || isInterrupted { isOver = true }
    isInterrupted = true
    child?.terminate()
  }

  /// Keeps the first report.
  private func end(_ report: ExitReport) {
    if self.report == nil { self.report = report }
  }

  private func closeConnection() {
    pingTimer?.cancel()
    pingTimer = nil
    reconnector?.cancel()
    reconnector = nil
    connection?.close()
    connection = nil
    // The program's further output is discarded, but it must not block the program.
    child?.isReading = true
    runActionsAfterMove()
  }

  /// Ends once the program's last output has been sent, or at once after a signal.
  private func leave() {
    closeConnection()
    if isInterrupted { isOver = true }
    loop.whenLastConnectionCloses { [weak self] in self?.isOver = true }
  }
}

/// The session on another connection.
extension ExecProgram {
  /// Continues at another server. Meanwhile the program's lines wait.
  private func move(to target: ServerAddress?) {
    guard let target, moves.allowsMove(at: loop.now) else { return connectionDidBreak(.lost) }
    isLost = false
    continueSession(at: target, after: .lost).beginMove()
  }

  /// Continues on a new connection, as long as the server may keep the session. Before the login
  /// there is nothing to continue.
  private func connectionDidBreak(_ failure: LinkError) {
    guard session.canContinue, !hasGoodbye, !isInterrupted, child != nil else {
      return lose(failure)
    }
    passOutput()
    isLost = true
    let reason =
      if case .bye(_, let message, _) = failure { message } else {
        "The connection to \(address) is lost."
      }
    StandardOutput.printError("\(reason) Reconnecting …".printable)
    continueSession(at: resumption?.address ?? address, after: failure).begin()
  }

  private func continueSession(
    at target: ServerAddress, after failure: LinkError
  ) -> Reconnector {
    connection?.close()
    connection = nil
    session.willMove()
    resumption = nil
    let reconnector = Reconnector(
      after: failure, ghostTime: session.resumeTime + Reconnector.detectionDelay,
      timeout: session.resumeTime, timers: loop, random: RandomSource(),
      attempt: { [unowned self] in resume(at: target, $0) },
      answer: { [unowned self] in didMove($0) })
    self.reconnector = reconnector
    return reconnector
  }

  /// Begins an attempt: first at the server to which the session moves, then in turn at the one
  /// that the person gave.
  private func resume(
    at target: ServerAddress, _ answer: @escaping ProgramResumption.Answer
  ) -> any Cancellable {
    let isRetry = resumption != nil && resumption?.address != address
    let resumption = ProgramResumption(
      of: session, at: isRetry ? address : target, loop: loop, tls: tls,
      allowsMove: { [unowned self] in moves.allowsMove(at: loop.now) },
      didReachServer: { [unowned self] in reconnector?.didReachServer() },
      answer: { [unowned self] in answer(reconnector?.sparingSession($0) ?? $0) },
      handOver: { [unowned self] in takeOver($0, $1, after: $2) })
    self.resumption = resumption
    resumption.begin()
    return resumption
  }

  private func didMove(_ result: Result<Login, LoginError>) {
    reconnector = nil
    switch result {
    case .success:
      // The connection comes next.
      moves.reset()
    case .failure(.link(let failure)):
      lose(failure)
    case .failure(.refused(.unknownToken, _)):
      loseMatch()
    case .failure(.refused(_, let sentence)):
      loseSession(sentence)
    }
  }

  /// The program's match has ended, and nothing could tell the program how.
  private func loseMatch() {
    loseSession("The match of \(title) ended while the connection was lost.")
  }

  private func loseSession(_ sentence: String) {
    end(ExitReport(code: .unavailable, sentence: sentence))
    tokens.discard()
    lose(.lost)
  }

  /// The server has repeated all that stands; the commands that it has not carried out come next.
  private func sessionDidMove(_ lines: [[UInt8]]) {
    for line in session.takeEnded() { output += line }
    for line in lines { connection?.send(line.span) }
    child?.isReading = true
    runActionsAfterMove()
  }

  /// Calls `action` once the session has moved, if it does, so that the program's last lines are
  /// sent.
  private func afterMove(_ action: @escaping () -> Void) {
    guard reconnector != nil || connection != nil && session.isMoving else { return action() }
    actionsAfterMove.append(action)
    loop.schedule(after: Self.leaveTimeout) { [weak self] in self?.runActionsAfterMove() }
  }

  private func runActionsAfterMove() {
    let actions = actionsAfterMove
    actionsAfterMove = []
    for action in actions { action() }
  }

  private func takeOver(
    _ connection: any Connection, _ bytes: Span<UInt8>, after login: Login
  ) {
    guard !session.hasLostMatch(with: login) else {
      connection.close()
      return loseMatch()
    }
    if isLost { StandardOutput.printError("Connected again.") }
    self.connection = connection
    connection.delegate = self
    framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
    didHear()
    keepToken(of: login.name, login.token)
    if let ping = session.didMove(with: login) {
      connection.send(ping.span)
    } else {
      sessionDidMove(session.didRepeatAll())
    }
    self.connection(connection, didReceive: bytes)
  }
}

/// The token, and signs of life.
extension ExecProgram {
  /// Keeps the token for the next start of this program.
  private func keepToken(of name: String, _ token: String?) {
    guard let token, !name.isEmpty else { return }
    tokens.keep(token, for: TokenOwner(address: address, name: name))
  }

  private func didHear() {
    silence.end(at: loop.now)
    guard pingTimer == nil, !isOver else { return }
    check(after: Silence.maxTime)
  }

  private func check(after delay: Duration) {
    pingTimer = loop.schedule(after: delay) { [weak self] in self?.check() }
  }

  /// Sends `ping` if nothing has come for a while, and gives the connection up if nothing follows.
  private func check() {
    pingTimer = nil
    guard let connection else { return }
    let result = silence.check(
      at: loop.now, isRead: connection.isReading, awaitsReply: session.awaitsReply)
    guard let result else { return connectionDidBreak(.silent) }
    if result.wantsPing, let ping = session.ping() { connection.send(ping.span) }
    check(after: result.next)
  }
}

extension ExecProgram: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    didHear()
    var offset = 0
    loop: while self.connection === connection {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): handle(bytes.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: break loop
      case .tooLong: return lose(.notOurServer)
      }
    }
    passOutput()
  }

  private func handle(_ line: Span<UInt8>) {
    let token = session.token
    defer {
      for line in session.takeDue() { connection?.send(line.span) }
      if session.token != token { keepToken(of: session.name, session.token) }
      if !session.isMoving { runActionsAfterMove() }
    }
    switch session.receive(line) {
    case .line(let edited, let notice):
      let first = output.count
      if let edited {
        output += edited
      } else {
        line.withUnsafeBufferPointer { output.append(contentsOf: $0) }
      }
      if let notice { show(notice, String(decoding: output[first...], as: UTF8.self)) }
      output.append(UInt8(ascii: "\n"))
    case .hidden: break
    case .moved(let target): move(to: target)
    case .lost(let failure): connectionDidBreak(failure)
    case .repeated(let lines): sessionDidMove(lines)
    }
  }

  /// Shows the person an `error` or a `bye`, unchanged but printable.
  private func show(_ notice: Event, _ line: String) {
    StandardOutput.printError(line.printable)
    guard case .bye(let code, let message, _, _) = notice else { return }
    hasGoodbye = true
    tokens.discard()
    if code != .quit { end(LinkError.bye(code, message).exitReport(from: address)) }
  }

  private func passOutput() {
    let lines = output
    output = []
    child?.write(lines.span)
    if let child, child.unread > Self.maxBuffered { connection?.isReading = false }
  }

  /// The connection is over, and so is the program's input.
  private func lose(_ failure: LinkError) {
    end(failure.exitReport(from: address))
    passOutput()
    closeConnection()
    child?.endInput()
  }

  func connectionDidDrain(_ connection: any Connection) {
    child?.isReading = true
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    guard hasGoodbye else { return connectionDidBreak(.lost) }
    closeConnection()
    child?.endInput()
  }
}

extension ExecProgram: ChildProgramDelegate {
  func child(didWrite bytes: Span<UInt8>) {
    guard connection != nil || reconnector != nil else { return }
    completer.complete(bytes) { line in
      let line = session.send(line.withUnsafeBufferPointer { Array($0) })
      if let line { connection?.send(line.span) }
    }
    // This is more than one read, so the socket has blocked, and `connectionDidDrain` will follow;
    // or the session moves.
    if connection?.unsent ?? 0 > Self.maxBuffered || session.waitingCount > Self.maxWaiting {
      child?.isReading = false
    }
  }

  func childDidCatchUp() {
    connection?.isReading = true
  }

  func childDidEndOutput() {
    afterMove { [unowned self] in closeConnection() }
  }

  func childDidEnd(_ end: ChildEnd) {
    let sentence = end.sentence(about: title)
    self.end(ExitReport(code: sentence == nil ? .ok : .ioError, sentence: sentence))
    afterMove { [unowned self] in leave() }
  }
}
