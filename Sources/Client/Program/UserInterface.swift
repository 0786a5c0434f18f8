import Foundation
import RIBs
import Shared

/// The interface between the client's tree and the person: plain lines or a full screen.
protocol UserInterface: AnyObject {
  var viewFactory: any ViewFactory { get }
  var window: any Window { get }
  /// Starts to read input.
  ///
  /// - Throws: if the terminal or standard input cannot be used.
  func start() throws(SystemError)
  /// Called after each turn of the loop.
  func turnDidEnd()
  /// Stops reading, and restores the terminal. A second call has no effect.
  func stop()
}

/// The kind of user interface.
enum InterfaceMode {
  /// One line after another: for pipes, for simple terminals, and on request.
  case plain
  case fullScreen

  /// Chooses the mode. `isAtTerminal` is whether standard input and output are both terminals.
  static func choose(
    wantsPlain: Bool, isAtTerminal: Bool, environment: [String: String]
  ) -> InterfaceMode {
    let terminal = environment["TERM"] ?? ""
    let canDraw = isAtTerminal && !terminal.isEmpty && terminal != "dumb"
    return canDraw && !wantsPlain ? .fullScreen : .plain
  }
}

/// The user interface in plain lines.
final class PlainInterface: UserInterface {
  let viewFactory: any ViewFactory
  private let console: Console
  private let loop: EventLoop
  private let greeting: String?
  private var input: InputReader?
  private var continuation: SignalSource?
  private var interruption: SignalSource?
  private var suspension: SignalSource?
  private let interrupted: () -> Void
  private let isKiosk: Bool
  private let echo = TerminalEcho()

  /// `greeting` is the first line. `characters` are those that a terminal shows. In a kiosk, Ctrl-Z
  /// has no effect, and the end of the input is a connection of ssh that is lost. `failure` is
  /// called when standard output can no longer be written, `interrupted` at each Ctrl-C that is to
  /// end the program.
  init(
    loop: EventLoop, greeting: String?, characters: CharacterRange,
    isKiosk: Bool, failure: @escaping (ExitCode) -> Void,
    interrupted: @escaping () -> Void
  ) {
    self.loop = loop
    self.interrupted = interrupted
    self.isKiosk = isKiosk
    self.greeting = greeting
    console = Console(
      isInteractive: isatty(STDIN_FILENO) == 1,
      // A pipe gets UTF-8 in every locale.
      characters: isatty(STDOUT_FILENO) == 1 ? characters : .all,
      endIsLoss: isKiosk,
      write: { text in
        let code = StandardOutput.write(Array(text.utf8))
        if code != .ok { failure(code) }
        return code == .ok
      },
      later: { action in loop.schedule(after: .zero, action) },
      keyboard: Console.Keyboard(
        setEcho: { [echo] state in echo.set(state) }, takeTyped: { [echo] in echo.takeTyped() }),
      columns: { Terminal.columns(of: STDOUT_FILENO) })
    viewFactory = PlainViewFactory(console: console)
  }

  var window: any Window { console }

  func start() throws(SystemError) {
    try read()
    // After Ctrl-Z and `fg`, the question has scrolled away.
    continuation = try SignalSource(loop: loop, signal: SIGCONT) { [console] in
      console.showAgain()
    }
    // The sources take a moment to start. Until then the default action would end the program
    // without restoring the terminal's echo.
    SignalMask.block([SIGINT, SIGTSTP])
    interruption = try SignalSource(loop: loop, signal: SIGINT) { [console, interrupted] in
      if console.interrupt() { interrupted() }
    }
    suspension = try SignalSource(loop: loop, signal: SIGTSTP) { [weak self] in self?.suspend() }
    if let greeting { console.say(greeting) }
  }

  private func read() throws(SystemError) {
    let input = try InputReader(loop: loop, descriptor: STDIN_FILENO)
    self.input = input
    input.delegate = self
    input.isReading = console.wantsInput
  }

  /// Suspends the program once the opponent's notice has been sent. The terminal has signalled the
  /// other programs of the job itself.
  private func suspend() {
    guard !isKiosk else { return }
    console.willSuspend()
    loop.schedule(after: ProcessGroup.suspensionDelay) { [weak self] in
      ProcessGroup.stopThisProgram()
      self?.console.didContinue()
    }
  }

  func turnDidEnd() {
    input?.isReading = console.wantsInput
  }

  func stop() {
    console.stopConfirming()
    console.stopAsking()
    continuation?.cancel()
    interruption?.cancel()
    suspension?.cancel()
    input?.stop()
  }
}

extension PlainInterface: InputReaderDelegate {
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    console.receive(bytes)
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    if let error { return console.inputDidFail(error.description) }
    // Ctrl-D ends one read of a terminal, and the person can go on typing. A closed terminal is no
    // wish to leave a game.
    if console.isInteractive {
      guard isatty(STDIN_FILENO) == 1 else {
        return console.inputDidFail("the terminal has closed")
      }
      do throws(SystemError) {
        try read()
      } catch {
        return console.inputDidFail(error.description)
      }
    }
    console.inputDidEnd()
  }
}

/// The user interface on the full screen.
final class ScreenInterface: UserInterface {
  let viewFactory: any ViewFactory
  private let session: TerminalSession
  private let ended: (TerminalEnd) -> Void

  /// `ended` is called once, if a signal or the terminal itself ends the session.
  init(loop: EventLoop, settings: ScreenSettings, ended: @escaping (TerminalEnd) -> Void) {
    session = TerminalSession(loop: loop, settings: settings)
    viewFactory = ScreenViewFactory(screen: session.screen)
    self.ended = ended
    session.delegate = self
  }

  var window: any Window { session.screen }

  func start() throws(SystemError) {
    try session.start()
  }

  func turnDidEnd() {}

  func stop() {
    session.stop()
  }
}

extension ScreenInterface: TerminalSessionDelegate {
  func terminalDidEnd(_ end: TerminalEnd) {
    ended(end)
  }
}
