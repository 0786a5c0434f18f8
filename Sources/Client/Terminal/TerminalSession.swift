import Foundation
import Shared

/// The reason why a terminal session has ended before `stop`.
enum TerminalEnd: Equatable {
  /// SIGINT, SIGTERM or SIGHUP has arrived.
  case signal(Int32)
  /// The terminal has closed, or cannot be read.
  case hangUp(SystemError?)
}

/// Is informed of the end of a `TerminalSession`, once, within a turn of the loop. It must still
/// call `stop`.
protocol TerminalSessionDelegate: AnyObject {
  func terminalDidEnd(_ end: TerminalEnd)
}

/// Uses the terminal as a full screen: turns bytes and signals into calls on the screen, and
/// restores the terminal however the session ends. The program owns it.
final class TerminalSession {
  let screen: Screen
  weak var delegate: (any TerminalSessionDelegate)?
  private let loop: EventLoop
  private let terminal: Terminal
  private var parser: KeyParser
  private var input: InputReader?
  private var signals: [SignalSource] = []
  private var sequenceTimer: LoopTimer?
  private let canSuspend: Bool
  private var isRunning = false
  /// Whether the program is about to be suspended.
  private var isSuspending = false

  init(loop: EventLoop, settings: ScreenSettings) {
    let terminal = Terminal(hasMouse: settings.hasMouse)
    parser = KeyParser(readsOnlyASCII: settings.characters == .onlyASCII)
    canSuspend = settings.canSuspend
    self.loop = loop
    self.terminal = terminal
    screen = Screen(
      size: terminal.size, timers: loop, settings: settings,
      write: { bytes in _ = terminal.write(bytes) })
  }

  deinit { terminal.leave() }

  /// Switches the terminal to the full screen. Call it once.
  ///
  /// - Throws: if the terminal cannot be set or read.
  func start() throws(SystemError) {
    isRunning = true
    CrashGuard.install()
    // A signal source takes a moment to start. Until then the signals stay blocked: their default
    // action would end the program without restoring the terminal.
    SignalMask.block([SIGINT, SIGTERM, SIGHUP, SIGTSTP])
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      try on(signal) { session in session.end(.signal(signal)) }
    }
    try on(SIGTSTP) { session in session.suspend() }
    for signal in [SIGWINCH, SIGCONT] { try on(signal) { session in session.resume() } }
    try terminal.enter()
    let input = try InputReader(loop: loop, descriptor: terminal.input)
    input.delegate = self
    self.input = input
    screen.redraw(size: terminal.size)
  }

  /// Restores the terminal. A second call has no effect.
  func stop() {
    isRunning = false
    screen.pause()
    sequenceTimer?.cancel()
    input?.stop()
    for signal in signals { signal.cancel() }
    signals = []
    terminal.leave()
  }

  private func on(
    _ signal: Int32, _ action: @escaping (TerminalSession) -> Void
  ) throws(SystemError) {
    signals.append(
      try SignalSource(loop: loop, signal: signal) { [weak self] in
        if let self, self.isRunning { action(self) }
      })
  }

  private func end(_ end: TerminalEnd) {
    guard isRunning else { return }
    isRunning = false
    screen.pause()
    delegate?.terminalDidEnd(end)
  }

  /// Switches the terminal to the full screen again. Another program may have used it, and its size
  /// may have changed.
  private func resume() {
    do throws(SystemError) {
      try terminal.enter()
      screen.redraw(size: terminal.size)
    } catch {
      end(.hangUp(error))
    }
  }

  /// Leaves the terminal to the shell until the shell continues the program, once the opponent's
  /// notice has been sent.
  private func suspend() {
    guard canSuspend, !isSuspending else { return }
    isSuspending = true
    screen.content?.willSuspend()
    loop.schedule(after: ProcessGroup.suspensionDelay) { [weak self] in
      guard let self, isRunning else { return }
      isSuspending = false
      screen.pause()
      terminal.leave()
      ProcessGroup.stop()
      resume()
      screen.content?.didContinue()
    }
  }

  private func press(_ keys: [Key]) {
    for key in keys where isRunning {
      switch key {
      case .control("z"): suspend()
      default: screen.press(key)
      }
    }
  }
}

extension TerminalSession: InputReaderDelegate {
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    sequenceTimer?.cancel()
    press(parser.parse(bytes, at: loop.now))
    if parser.hasRefused { screen.notify(CharacterRange.refusal) }
    guard isRunning, let deadline = parser.deadline else { return }
    sequenceTimer = loop.schedule(after: max(.zero, deadline - loop.now)) { [weak self] in
      guard let self else { return }
      press(parser.flush())
    }
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    end(.hangUp(error))
  }
}

/// The process group of this program: the programs that the shell has started as one job.
enum ProcessGroup {
  /// How long the program waits before it stops: until the end of the turn, which sends its output.
  static let suspensionDelay = Duration.milliseconds(10)

  /// Stops the job as Ctrl-Z does, and returns when it continues. Without a shell that could
  /// continue it, the system does not stop it.
  static func stop() {
    // Signal the other programs first, because this one would stop before it has signalled them.
    let handler = signal(SIGTSTP, SIG_IGN)
    // Otherwise Dispatch consumes the signal.
    SignalMask.unblock([SIGTSTP])
    kill(0, SIGTSTP)
    signal(SIGTSTP, handler)
    stopThisProgram()
  }

  /// Stops this program only, and returns when it continues.
  static func stopThisProgram() {
    let handler = signal(SIGTSTP, SIG_DFL)
    SignalMask.unblock([SIGTSTP])
    // Sent to this thread, because Dispatch reads the signals that are sent to the process.
    pthread_kill(pthread_self(), SIGTSTP)
    signal(SIGTSTP, handler)
    SignalMask.block([SIGTSTP])
  }
}
