import Foundation
import Shared

/// The client without its tree: a program plays, and the lines between it and the server pass
/// through unchanged, except that a login may get a password. While one side does not read, the
/// other side is not read either.
final class ExecProgram {
  /// The number of bytes kept for a side that does not read.
  static let maxBuffered = 65_536

  private let command: String
  private let address: ServerAddress
  private let loop: EventLoop
  private var connection: (any Connection)?
  private var child: ChildProgram?
  private var notices = ServerNotices()
  private var completer: LoginCompleter
  private var report: ExitReport?
  private var isInterrupted = false
  private var isOver = false

  private init(
    _ command: String, password: String?, address: ServerAddress, loop: EventLoop
  ) {
    completer = LoginCompleter(password: password)
    self.command = command
    self.address = address
    self.loop = loop
  }

  /// Lets a command play until it exits or the server closes the connection. `password` is added to
  /// its logins. With `tls`, the connection uses it; the program does not notice.
  static func run(
    _ command: String, _ options: ClientOptions, password: String?, tls: TLSContext?
  ) -> ExitCode {
    // Makes a closed pipe an error of `write`. A handler, because the child would inherit an
    // ignored signal.
    signal(SIGPIPE) { _ in }
    // The child must not inherit blocked signals from the program that started this one.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    do throws(SystemError) {
      let program = ExecProgram(
        command, password: password, address: options.address, loop: try EventLoop())
      return try program.play(tls)
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }

  private func play(_ tls: TLSContext?) throws(SystemError) -> ExitCode {
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
    guard let report else { return .ok }
    if let sentence = report.sentence { StandardOutput.printError(sentence) }
    return report.code
  }

  private func didConnect(_ result: Result<any Connection, LinkError>) {
    switch result {
    case .success(let connection):
      self.connection = connection
      connection.delegate = self
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
    connection?.close()
    connection = nil
    // The program's further output is discarded, but it must not block the program.
    child?.isReading = true
  }

  /// Ends once the program's last output has been sent, or at once after a signal.
  private func leave() {
    closeConnection()
    if isInterrupted { isOver = true }
    loop.whenLastConnectionCloses { [weak self] in self?.isOver = true }
  }
}

extension ExecProgram: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    notices.read(bytes) { StandardOutput.printError($0) }
    if let goodbye = notices.goodbye, goodbye.code != .quit {
      end(LinkError.bye(goodbye.code, goodbye.message).exitReport(from: address))
    }
    guard let child else { return }
    child.write(bytes)
    if child.unread > Self.maxBuffered { connection.isReading = false }
  }

  func connectionDidDrain(_ connection: any Connection) {
    child?.isReading = true
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if notices.goodbye == nil { self.end(LinkError.lost.exitReport(from: address)) }
    closeConnection()
    child?.endInput()
  }
}

extension ExecProgram: ChildProgramDelegate {
  func child(didWrite bytes: Span<UInt8>) {
    guard let connection else { return }
    completer.complete(bytes) { connection.send($0) }
    // This is more than one read, so the socket has blocked, and `connectionDidDrain` will follow.
    if connection.unsent > Self.maxBuffered { child?.isReading = false }
  }

  func childDidCatchUp() {
    connection?.isReading = true
  }

  func childDidEndOutput() {
    closeConnection()
  }

  func childDidEnd(_ end: ChildEnd) {
    let sentence =
      switch end {
      case .exited(code: 0): String?.none
      case .exited(let code): "\(title) exited with code \(code)."
      case .killed(let signal): "\(title) was killed by signal \(signal)."
      case .terminated:
        "\(title) did not exit after its connection had closed, so it was terminated."
      }
    self.end(ExitReport(code: sentence == nil ? .ok : .ioError, sentence: sentence))
    leave()
  }
}

/// Reads the lines that the server sends to a program, and selects those that a person should see.
struct ServerNotices {
  /// The server's `bye`, once it has come.
  private(set) var goodbye: (code: ByeCode, message: String)?
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
  private var decoder = EventDecoder()

  /// Calls `show` with each line that is an `error` or a `bye`, unchanged but printable. Ignores
  /// lines that do not belong to the protocol.
  mutating func read(_ bytes: Span<UInt8>, show: (String) -> Void) {
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): read(line: bytes.extracting(range), show)
      case .joined(let line): read(line: line.span, show)
      case .needsMore, .tooLong: return
      }
    }
  }

  private mutating func read(line: Span<UInt8>, _ show: (String) -> Void) {
    let event: Event
    do throws(LineError) { event = try decoder.decode(line).event } catch { return }
    switch event {
    case .error: break
    case .bye(let code, let message, _, _): goodbye = (code, message)
    default: return
    }
    show(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.printable)
  }
}
