import Foundation

/// The echo of the terminal, which is off while a person types a password in plain lines. The
/// terminal gets it back however the program ends, except by SIGKILL.
final class TerminalEcho {
  private let descriptor: Int32
  /// The former settings of the terminal, while the echo is off.
  private var settings: termios?
  /// The former handlers of the signals, while the echo is off.
  private var handlers: [Int32: (@convention(c) (Int32) -> Void)?] = [:]

  /// The signals that end or stop the program. SIGINT is not one of them, because the console
  /// handles it.
  private static let signals = [
    SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]

  init(descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
  }

  deinit { set(.onForgettingInput) }

  /// Switches the echo on or off. Does nothing if the descriptor is no terminal.
  func set(_ state: Console.Echo) {
    switch state {
    case .off: turnOff()
    case .on: turnOn()
    case .onForgettingInput:
      if settings != nil { tcflush(descriptor, TCIFLUSH) }
      turnOn()
    }
  }

  /// Takes what a person has typed, also of a line that is not finished. A terminal delivers that
  /// only in another mode, in which it stays for a moment.
  func takeTyped() -> [UInt8] {
    var settings = termios()
    // A process in the background may not change the terminal.
    guard tcgetattr(descriptor, &settings) == 0, tcgetpgrp(descriptor) == getpgrp() else {
      return []
    }
    var unfinished = settings
    unfinished.c_lflag &= ~tcflag_t(ICANON)
    tcsetattr(descriptor, TCSANOW, &unfinished)
    defer { tcsetattr(descriptor, TCSANOW, &settings) }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLIN) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Self.maxTyped)
    let count = read(descriptor, &bytes, bytes.count)
    // Ctrl-D arrives as a zero.
    return bytes.prefix(max(0, count)).filter { $0 != 0 }
  }

  /// The bytes that a terminal keeps of what is typed.
  private static let maxTyped = 4_096

  private func turnOff() {
    var current = termios()
    guard tcgetattr(descriptor, &current) == 0 else { return }
    if settings == nil {
      settings = current
      handlers = Dictionary(uniqueKeysWithValues: Self.signals.map { ($0, signal($0, SIG_IGN)) })
    }
    for (number, handler) in handlers where !Self.isIgnored(handler) {
      signal(number) { number in TerminalEcho.restore(andRaise: number) }
    }
    current.c_lflag &= ~tcflag_t(ECHO)
    // The line feed at the end is shown, so that the next output has a line of its own.
    current.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(descriptor, TCSANOW, &current)
  }

  private func turnOn() {
    guard var settings else { return }
    self.settings = nil
    tcsetattr(descriptor, TCSANOW, &settings)
    for (number, handler) in handlers { signal(number, handler) }
    handlers = [:]
  }

  private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Calls only functions that are safe in a signal handler. After SIGTSTP the program continues,
  /// and SIGCONT shows the question again, which switches the echo off.
  private static func restore(andRaise number: Int32) {
    var settings = termios()
    // The shell would take the beginning of a password for a command.
    tcflush(STDIN_FILENO, TCIFLUSH)
    if tcgetattr(STDIN_FILENO, &settings) == 0 {
      settings.c_lflag |= tcflag_t(ECHO)
      settings.c_lflag &= ~tcflag_t(ECHONL)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}
