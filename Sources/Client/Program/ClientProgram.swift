import Foundation
import RIBs
import Shared

/// The program around the client's tree: the event loop, the user interface and the exit.
final class ClientProgram {
  private let loop: EventLoop
  private let interface: any UserInterface
  private let root: any LaunchRouting
  private let ending = Ending()

  private init(
    _ options: ClientOptions, _ mode: InterfaceMode, replay: Replay?, password: String?,
    tls: TLSContext?, environment: [String: String], loop: EventLoop
  ) {
    self.loop = loop
    let ending = ending
    switch mode {
    case .plain:
      interface = PlainInterface(
        loop: loop,
        greeting: options.isLocal || replay != nil ? nil : "Connecting to \(options.address) …",
        characters: options.characters(in: TerminalAbilities(in: environment)),
        canSuspend: !options.isKiosk,
        failure: { code in ending.end(ExitReport(code: code, sentence: nil)) },
        interrupted: ending.didInterrupt)
    case .fullScreen:
      interface = ScreenInterface(
        loop: loop, settings: options.screenSettings(in: environment),
        ended: ending.terminalDidEnd)
    }
    let component = AppComponent(
      options, loop: loop, viewFactory: interface.viewFactory,
      connectTime: mode == .plain ? .atLaunch : .atLogin,
      isAttended: isatty(STDIN_FILENO) == 1, replay: replay, filePassword: password,
      tls: tls, environment: environment)
    root = RootBuilder(dependency: component).build(withListener: ending)
  }

  /// Runs until the person quits or the program cannot continue. `replay` is a match to show
  /// without a server, `password` the one in the file of a script. With `tls`, connections use it.
  static func run(
    _ options: ClientOptions, replay: Replay? = nil, password: String? = nil,
    tls: TLSContext? = nil, environment: [String: String]
  ) -> ExitCode {
    // Makes a closed output pipe an error of `write`.
    signal(SIGPIPE, SIG_IGN)
    let mode = InterfaceMode.choose(
      wantsPlain: options.wantsPlain,
      isAtTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
      environment: environment)
    do throws(SystemError) {
      return try ClientProgram(
        options, mode, replay: replay, password: password, tls: tls, environment: environment,
        loop: try EventLoop()
      ).play()
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }

  private func play() throws(SystemError) -> ExitCode {
    defer { interface.stop() }
    try interface.start()
    root.launch(from: interface.window)
    while ending.report == nil {
      try loop.turn(wait: nil)
      interface.turnDidEnd()
    }
    interface.stop()
    root.interactable.deactivate()
    // Sends the last output.
    try loop.turn(wait: .zero)
    if let signal = ending.signal { Self.die(of: signal) }
    guard let report = ending.report else { return .ok }
    if let sentence = report.sentence { StandardOutput.printError(sentence) }
    return report.code
  }

  /// Ends by the signal itself, so that the shell sees which one it was.
  private static func die(of number: Int32) {
    signal(number, SIG_DFL)
    SignalMask.unblock([number])
    raise(number)
  }
}

/// How the program ends. The first report counts.
private final class Ending: RootListener {
  private(set) var report: ExitReport?
  private(set) var signal: Int32?

  func rootDidFinish(_ report: ExitReport) {
    end(report)
  }

  func terminalDidEnd(_ end: TerminalEnd) {
    switch end {
    case .signal(let number):
      if report == nil { signal = number }
      self.end(ExitReport(code: .ok, sentence: nil))
    case .hangUp:
      self.end(ExitReport(code: .ioError, sentence: "The terminal has closed."))
    }
  }

  /// Ctrl-C in plain lines. The program leaves its match, then dies of the signal as the shell
  /// expects. A further Ctrl-C does not wait for the server.
  func didInterrupt() {
    if signal != nil { end(ExitReport(code: .ok, sentence: nil)) }
    if report == nil { signal = SIGINT }
  }

  func end(_ report: ExitReport) {
    if self.report == nil { self.report = report }
  }
}
