import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// The pseudo-terminal of the other tests.
@Suite struct PseudoTerminalTests {
  private let terminal: PseudoTerminal

  init() throws {
    terminal = try PseudoTerminal(rows: 24, columns: 80, width: TextWidth.columns(of:))
  }

  @Test func `a program sees a terminal with its size and name`() throws {
    try terminal.start("/bin/sh", ["-c", "tty && stty size && echo </dev/tty $TERM 한국어"])
    try terminal.wait(for: "xterm 한국어")
    #expect(terminal.screen.lines[0].hasPrefix("/dev/"))
    #expect(terminal.screen.lines[1] == "24 80")
    #expect(try terminal.exitCode() == 0)
  }

  @Test func `typed text is echoed and read as lines`() throws {
    try terminal.start("/bin/cat")
    try terminal.type("hello\n")
    try terminal.wait(for: "two lines") { $0.lines[..<2] == ["hello", "hello"] }
    try terminal.type("\u{4}")
    #expect(try terminal.exitCode() == 0)
  }

  @Test func `Ctrl-C ends a program, and Ctrl-Z has no effect without a shell`() throws {
    try terminal.start("/bin/cat")
    try terminal.type("\u{1A}")
    // The system does not stop an orphaned process group, which no shell could continue.
    try terminal.type("on\n")
    try terminal.wait(for: "on")
    try terminal.type("\u{3}")
    #expect(try terminal.exitCode() == -SIGINT)
  }

  @Test func `a program is notified of a new size`() throws {
    let script = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done"
    try terminal.start("/bin/sh", ["-c", script])
    try terminal.wait(for: "ready")
    try terminal.resize(rows: 30, columns: 100)
    try terminal.wait(for: "30 100")
    terminal.send(SIGSTOP)
    try terminal.waitUntilStopped()
  }

  @Test func `a program's terminal settings are visible`() throws {
    let before = try terminal.settings
    #expect(try terminal.echoes)
    try terminal.start("/bin/sh", ["-c", "stty -echo; echo quiet; read line; stty echo"])
    try terminal.wait(for: "quiet")
    #expect(try !terminal.echoes)
    try terminal.type("\n")
    #expect(try terminal.exitCode() == 0)
    #expect(try terminal.settings == before)
  }
}
