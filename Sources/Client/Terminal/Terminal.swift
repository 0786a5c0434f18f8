import Foundation
import Shared

/// The real terminal: takes it for a full screen and gives it back as it was.
final class Terminal {
  let input: Int32
  private let output: Int32
  /// What the terminal was set to, while the program has it.
  private var settings: termios?
  private var hasFailed = false

  /// The alternate screen without a cursor; the mouse's buttons, told in decimal numbers; marks
  /// around what is pasted.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"
  /// Takes all of it back.
  static var leaving: StaticString {
    "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  }

  /// The descriptors stay the caller's.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    self.input = input
    self.output = output
  }

  /// Whether a person sits at both ends.
  var isInteractive: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// 24 × 80 where the terminal does not know it.
  var size: Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return Size(rows: 24, columns: 80) }
    return Size(rows: Int(window.ws_row), columns: Int(window.ws_col))
  }

  /// Each key comes at once and is not shown, Ctrl-C and Ctrl-Z are keys. Called again, it does so
  /// again, for a terminal that others have changed meanwhile; what it was at first is kept.
  func enter() throws(SystemError) {
    var settings = termios()
    _ = try systemCall("tcgetattr") { tcgetattr(input, &settings) }
    if self.settings == nil { self.settings = settings }
    cfmakeraw(&settings)
    _ = try systemCall("tcsetattr") { tcsetattr(input, TCSADRAIN, &settings) }
    write(Array(Self.entering.utf8))
  }

  /// Gives the terminal back as it was found. Twice is once.
  func leave() {
    guard var settings else { return }
    self.settings = nil
    write(Array(Self.leaving.description.utf8))
    // What was typed and not read goes: clicks of the mouse would be typed into the shell. Where it
    // fails the terminal is gone.
    _ = try? systemCall("tcsetattr") { tcsetattr(input, TCSAFLUSH, &settings) }
  }

  /// Writes all of it, and waits for a slow terminal. Answers `false` where the terminal is gone, and
  /// from then on.
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

  // The output may be non-blocking: it shares that with the input, and with other programs.
  private func waitForRoom() -> Bool {
    var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    let count = try? systemCall("poll") { poll(&ready, 1, -1) }
    return count == 1 && ready.revents & Int16(POLLOUT) != 0
  }
}
