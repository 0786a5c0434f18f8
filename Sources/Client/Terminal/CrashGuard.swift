import Foundation

/// Restores the terminal when the program crashes or gets SIGQUIT.
enum CrashGuard {
  /// Installs signal handlers that restore standard input and output. They replace Swift's
  /// backtraces, which would be written to an unusable screen.
  static func install() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number) { number in CrashGuard.restore(andDieOf: number) }
    }
  }

  /// Calls only functions that are safe in a signal handler. It does not know the former settings
  /// of the terminal, so it sets those that a shell needs.
  private static func restore(andDieOf number: Int32) {
    var settings = termios()
    if tcgetattr(STDIN_FILENO, &settings) == 0 {
      settings.c_iflag |= tcflag_t(ICRNL | IXON | BRKINT)
      settings.c_oflag |= tcflag_t(OPOST | ONLCR)
      settings.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    let bytes = Terminal.leaving
    _ = write(STDOUT_FILENO, bytes.utf8Start, bytes.utf8CodeUnitCount)
    signal(number, SIG_DFL)
    raise(number)
  }
}
