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
  /// How long after a refused login the next one follows.
  private static let loginInterval: Duration = .seconds(1)

  private let command: String
  private let address: ServerAddress
  private let loop: EventLoop
  private let link: ServerLink
  /// In which the link runs.
  private let scope = Interactor()
  private var session: ProgramSession
  /// Continues the session on another connection; `nil` while there is one.
  private var reconnector: Reconnector?
  /// Whether the connection was lost, and did not move.
  private var isLost = false
  private var damage = SlidingWindow.damage
  private let tokens: TokenFile
  private var child: ChildProgram?
  /// The lines for the program that have not been passed on yet.
  private var output: [UInt8] = []
  private var hasGoodbye = false
  private var completer: LoginCompleter
  private var report: ExitReport?
  /// Sends a login again whose name is still taken.
  private var loginTimer: LoopTimer?
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
    self.tokens = tokens
    link = ServerLink(timers: loop) { loop.connect(host: $0, port: $1, tls: tls, answer: $2) }
    session = ProgramSession { name in
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
    scope.activate()
    link.start(scope)
    link.relay = self
    let states = link.state.subscribe { [unowned self] in linkDidChange($0) }
    defer { states.cancel() }
    link.connect(to: address)
    while !isOver { try loop.turn(wait: nil) }
    return report ?? ExitReport(code: .ok)
  }

  private func linkDidChange(_ state: LinkState) {
    switch state {
    case .idle, .connecting: break
    case .open: reconnector?.didReachServer()
    case .moved(let server):
      // An attempt follows by itself.
      if reconnector == nil { move(to: server) }
    case .closed(let failure):
      guard reconnector == nil else { break }
      if child == nil, report == nil {
        end(failure.exitReport(from: address))
        isOver = true
      } else if hasGoodbye {
        endInput()
      } else {
        connectionDidBreak(failure)
      }
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

  /// Whether there is a connection, or will be one.
  private var isConnected: Bool { reconnector != nil || link.target != nil }

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
    reconnector?.cancel()
    reconnector = nil
    link.disconnect()
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
  private func move(to server: ServerAddress) {
    isLost = false
    continueSession(at: server, after: .lost).beginMove()
  }

  /// Continues on a new connection, as long as the server may keep the session, or may come back
  /// before the login.
  private func connectionDidBreak(_ failure: LinkError) {
    let isSpared = failure.isDamage && damage.allows(at: loop.now)
    guard session.canContinue, failure.retry != nil || isSpared, !isInterrupted, child != nil
    else { return lose(failure) }
    passOutput()
    isLost = true
    let reason =
      if case .bye(_, let message, _) = failure { message } else {
        "The connection to \(address) is lost."
      }
    StandardOutput.printError("\(reason) Reconnecting …".printable)
    continueSession(at: link.address ?? address, after: isSpared ? .lost : failure).begin()
  }

  private func continueSession(
    at target: ServerAddress, after failure: LinkError
  ) -> Reconnector {
    session.willMove()
    loginTimer?.cancel()
    var isRetry = false
    // Before the login, there is no session whose loss the server has to notice.
    let delay = session.token == nil ? .zero : Reconnector.detectionDelay
    let time = session.resumeTime + delay
    let reconnector = Reconnector(
      after: failure,
      patience: Reconnector.Patience(
        ghostTime: time, strangerTime: session.resumeTime, timeout: time),
      timers: loop, random: RandomSource(),
      attempt: { [unowned self] answer in
        // In turn at that server and at the one that the person gave.
        let server = isRetry && link.address != address ? address : target
        isRetry = true
        return resume(at: server, answer)
      },
      answer: { [unowned self] in didMove($0) })
    self.reconnector = reconnector
    return reconnector
  }

  private func resume(
    at server: ServerAddress, _ answer: @escaping LoginAttempt.Answer
  ) -> any Cancellable {
    let attempt = LoginAttempt(with: session.credentials, at: server, over: link) {
      [unowned self] in answer(reconnector?.sparingSession($0) ?? $0)
    }
    attempt.begin()
    return attempt
  }

  private func didMove(_ result: Result<Login, LoginError>) {
    reconnector = nil
    switch result {
    case .success(let login): takeUp(login)
    case .failure where session.hasQuit:
      end(ExitReport(code: .ok))
      endInput()
    case .failure(.link(let failure)):
      lose(failure)
    case .failure(.refused(.unknownToken, _)):
      loseMatch()
    case .failure(.refused(_, let sentence)):
      loseSession(sentence)
    }
  }

  /// The program's match has ended, and nothing could tell the program how. The token stays: a
  /// server that is without its data for a while has the match again later.
  private func loseMatch() {
    loseSession(
      "The match is over: the server does not have it any more. If it is only without its data,"
        + " start this program again when it has them.")
  }

  private func loseSession(_ sentence: String) {
    end(ExitReport(code: .unavailable, sentence: sentence))
    lose(.lost)
  }

  /// The server has repeated all that stands; the commands that it has not carried out come next.
  private func sessionDidMove(_ lines: [[UInt8]]) {
    for line in session.takeEnded() { output += line }
    for line in lines { link.send(line: line) }
    child?.isReading = true
    runActionsAfterMove()
  }

  /// Calls `action` once the session has moved, if it does, so that the program's last lines are
  /// sent.
  private func afterMove(_ action: @escaping () -> Void) {
    guard isConnected, session.isMoving else { return action() }
    actionsAfterMove.append(action)
    loop.schedule(after: Self.leaveTimeout) { [weak self] in self?.runActionsAfterMove() }
  }

  private func runActionsAfterMove() {
    let actions = actionsAfterMove
    actionsAfterMove = []
    for action in actions { action() }
  }

  /// Goes on with the session, and reads what the server repeats.
  private func takeUp(_ login: Login) {
    guard !session.hasLostMatch(with: login) else { return loseMatch() }
    if isLost { StandardOutput.printError("Connected again.") }
    keepToken(of: login.name, login.token)
    if let ping = session.didMove(with: login) {
      link.send(line: ping)
    } else {
      sessionDidMove(session.didRepeatAll())
    }
  }

  /// Keeps the token for the next start of this program.
  private func keepToken(of name: String, _ token: String?) {
    guard let token, !name.isEmpty else { return }
    tokens.keep(token, for: TokenOwner(address: address, name: name))
  }
}

extension ExecProgram: LineRelay {
  var hasSession: Bool { session.token != nil || session.isMoving || session.isLoggingIn }

  func linkDidConnect() {
    if child == nil, report == nil { start() }
  }

  func link(didReceive line: Span<UInt8>, _ event: ReceivedEvent?) {
    // What an attempt receives is no matter of the program's.
    if reconnector == nil || session.awaits(event) { handle(line, event) }
  }

  func linkDidReceiveAll() { passOutput() }

  func linkDidDrain() { child?.isReading = true }

  private func handle(_ line: Span<UInt8>, _ event: ReceivedEvent?) {
    let token = session.token
    defer {
      for line in session.takeDue() { link.send(line: line) }
      if session.token != token { keepToken(of: session.name, session.token) }
      if !session.isMoving { runActionsAfterMove() }
    }
    switch session.receive(line, event) {
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
    case .repeated(let lines): sessionDidMove(lines)
    case .refused(let id):
      loginTimer = loop.schedule(after: Self.loginInterval) { [weak self] in
        guard let self, let line = session.login(id) else { return }
        link.send(line: line)
      }
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
    if let child, child.unread > Self.maxBuffered { link.isReading = false }
  }

  /// The connection is over, and so is the program's input.
  private func lose(_ failure: LinkError) {
    end(failure.exitReport(from: address))
    endInput()
  }

  private func endInput() {
    passOutput()
    closeConnection()
    child?.endInput()
  }
}

extension ExecProgram: ChildProgramDelegate {
  func child(didWrite bytes: Span<UInt8>) {
    guard isConnected else { return }
    completer.complete(bytes) { line in
      let line = session.send(line.withUnsafeBufferPointer { Array($0) })
      if let line { link.send(line: line) }
    }
    // This is more than one read, so the socket has blocked, and `linkDidDrain` will follow;
    // or the session moves.
    if link.unsent > Self.maxBuffered || session.waitingCount > Self.maxWaiting {
      child?.isReading = false
    }
  }

  func childDidCatchUp() {
    link.isReading = true
  }

  func childDidEndOutput() {
    afterMove { [unowned self] in endInput() }
  }

  func childDidEnd(_ end: ChildEnd) {
    let sentence = end.sentence(about: title)
    self.end(ExitReport(code: sentence == nil ? .ok : .ioError, sentence: sentence))
    afterMove { [unowned self] in leave() }
  }
}
