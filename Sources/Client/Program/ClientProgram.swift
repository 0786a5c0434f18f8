import Foundation
import RIBs
import Shared

/// The program around the client's tree: the event loop, the user interface and the exit.
final class ClientProgram {
  private let loop: EventLoop
  private let interface: any UserInterface
  private let root: any LaunchRouting
  private let ending = Ending()

  private init(_ context: ClientContext, _ mode: InterfaceMode, loop: EventLoop) {
    self.loop = loop
    let (options, environment) = (context.options, context.environment)
    let ending = ending
    switch mode {
    case .plain:
      interface = PlainInterface(
        loop: loop,
        greeting: options.isLocal || context.replay != nil
          ? nil : options.isKiosk ? "Connecting …" : "Connecting to \(options.address) …",
        characters: options.characters(in: TerminalAbilities(in: environment)),
        isKiosk: options.isKiosk,
        failure: { code in ending.end(ExitReport(code: code, sentence: nil)) },
        interrupted: ending.didInterrupt)
    case .fullScreen:
      interface = ScreenInterface(
        loop: loop, settings: options.screenSettings(in: environment),
        ended: ending.terminalDidEnd)
    }
    let component = AppComponent(
      context, loop: loop, viewFactory: interface.viewFactory,
      connectTime: mode == .plain ? .atLaunch : .atLogin,
      isAttended: isatty(STDIN_FILENO) == 1)
    root = RootBuilder(dependency: component).build(withListener: ending)
  }

  /// Runs until the person quits or the program cannot continue.
  static func run(_ context: ClientContext) -> ExitCode {
    // Makes a closed output pipe an error of `write`.
    signal(SIGPIPE, SIG_IGN)
    let mode = InterfaceMode.choose(
      wantsPlain: context.options.wantsPlain,
      isAtTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
      environment: context.environment)
    do throws(SystemError) {
      return try ClientProgram(context, mode, loop: try EventLoop()).play()
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
