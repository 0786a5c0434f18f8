import Foundation
import Shared

/// The client without its tree: a program has the seat, and its lines and the server's go through
/// unchanged. Whoever is slow is waited for: so little is kept of what one end does not take.
final class ExecProgram {
  /// How much of what one end does not take is kept before the other has to wait.
  static let maxBuffered = 65_536

  private let command: String
  private let address: ServerAddress
  private let loop: EventLoop
  private var connection: (any Connection)?
  private var child: ChildProgram?
  private var notices = ServerNotices()
  private var report: ExitReport?
  private var isInterrupted = false
  private var isOver = false

  private init(_ command: String, address: ServerAddress, loop: EventLoop) {
    self.command = command
    self.address = address
    self.loop = loop
  }

  /// Lets the command play until it or the server ends.
  static func run(_ command: String, _ options: ClientOptions) -> ExitCode {
    // A reader that goes away is an error of writing. Ignored, the signal would stay so in the
    // child; a handler does not.
    signal(SIGPIPE) { _ in }
    // Nor shall the child be deaf to signals where whoever started us has blocked some.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    do throws(SystemError) {
      let program = ExecProgram(command, address: options.address, loop: try EventLoop())
      return try program.play(options)
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }

  private func play(_ options: ClientOptions) throws(SystemError) -> ExitCode {
    // The child does not inherit this: what Dispatch sets is a handler.
    let signals = try [SIGINT, SIGTERM].map { number throws(SystemError) in
      try SignalSource(loop: loop, signal: number) { [unowned self] in interrupt() }
    }
    defer { for signal in signals { signal.cancel() } }
    let connecting = loop.connect(host: options.host, port: options.port) { [unowned self] in
      didConnect($0)
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

  /// The first signal lets the program and the server go in peace, the second does not wait.
  private func interrupt() {
    end(ExitReport(code: .ok, sentence: nil))
    closeConnection()
    if child == nil || isInterrupted { isOver = true }
    isInterrupted = true
    child?.terminate()
  }

  /// The first word counts.
  private func end(_ report: ExitReport) {
    if self.report == nil { self.report = report }
  }

  private func closeConnection() {
    connection?.close()
    connection = nil
    // What the program still writes goes nowhere, but must not hold it up.
    child?.isReading = true
  }

  /// Ends when what the program wrote last has gone out; at once where somebody wants us to.
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
    connection.send(bytes)
    // More than one read's worth: some of it has been refused already, so there will be a drain.
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
