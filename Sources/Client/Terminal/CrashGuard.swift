import Foundation

/// Makes the terminal usable again where the program dies of its own fault, or of SIGQUIT.
enum CrashGuard {
  /// For the standard input and output. It takes the place of Swift's own backtraces, which would
  /// be written on a screen that nobody can use.
  static func install() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] {
      signal(number) { number in CrashGuard.restore(andDieOf: number) }
    }
  }

  /// Calls nothing but what a signal handler may. It cannot know what the terminal was set to, so
  /// it sets what a shell needs.
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
