import Foundation
import Shared

/// The terminal of the process: switches to a full screen and back.
final class Terminal {
  let input: Int32
  private let output: Int32
  private let hasMouse: Bool
  /// The former settings, while the program uses the terminal.
  private var settings: termios?
  private var hasFailed = false

  /// Switches to the alternate screen, hides the cursor, switches on bracketed paste, and switches
  /// off the wrapping of lines: terminals draw some characters wider than others do.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?7l"
  /// Switches on mouse reports in decimal numbers.
  private static let reportingMouse = "\u{1B}[?1000h\u{1B}[?1006h"
  /// Undoes all of it.
  static var leaving: StaticString {
    "\u{1B}[?7h\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  }

  /// The caller keeps the descriptors open, and closes them. Without `hasMouse` the mouse belongs
  /// to the terminal, for example to select text.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, hasMouse: Bool = true) {
    self.input = input
    self.output = output
    self.hasMouse = hasMouse
  }

  /// Whether both input and output are terminals.
  var isInteractive: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// The largest size that is drawn; the rest of a larger terminal stays blank. No real screen has
  /// more cells, but a program can give its terminal any size, and a frame takes 40 bytes a cell.
  static let maxSize = Size(rows: 200, columns: 500)

  /// The size of the terminal, up to `maxSize`; 24 rows and 80 columns if the terminal does not
  /// know it.
  var size: Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return Size(rows: 24, columns: 80) }
    return Size(
      rows: min(Int(window.ws_row), Self.maxSize.rows),
      columns: min(Int(window.ws_col), Self.maxSize.columns))
  }

  /// Switches to raw mode, in which every key arrives at once and without an echo, Ctrl-C and
  /// Ctrl-Z included. A second call sets the mode again, in case another program has changed it,
  /// and keeps the settings of the first call.
  ///
  /// - Throws: if the terminal cannot be set.
  func enter() throws(SystemError) {
    var settings = termios()
    _ = try systemCall("tcgetattr") { tcgetattr(input, &settings) }
    if self.settings == nil { self.settings = settings }
    cfmakeraw(&settings)
    _ = try systemCall("tcsetattr") { tcsetattr(input, TCSADRAIN, &settings) }
    write(Array((Self.entering + (hasMouse ? Self.reportingMouse : "")).utf8))
  }

  /// Restores the terminal's former settings. A second call has no effect.
  func leave() {
    guard var settings else { return }
    self.settings = nil
    write(Array(Self.leaving.description.utf8))
    // Discards unread input, because mouse reports would be typed into the shell. If the call
    // fails, the terminal has closed.
    _ = try? systemCall("tcsetattr") { tcsetattr(input, TCSAFLUSH, &settings) }
  }

  /// Writes all bytes, and waits for a slow terminal. Returns `false` once the terminal has closed.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, !hasFailed {
      do throws(SystemError) {
        let count = try systemCall("write") {
          rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
        }
        rest = rest.dropFirst(count)
      } catch {
        hasFailed = !(error.isWouldBlock && waitForRoom())
      }
    }
    return !hasFailed
  }

  // The output may be non-blocking, because it shares that flag with the input and with other
  // programs.
  private func waitForRoom() -> Bool {
    var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    let count = try? systemCall("poll") { poll(&ready, 1, -1) }
    return count == 1 && ready.revents & Int16(POLLOUT) != 0
  }
}

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
