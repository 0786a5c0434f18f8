import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct TerminalTests {
  private let pseudoTerminal: PseudoTerminal
  private let terminal: Terminal

  init() throws {
    pseudoTerminal = try PseudoTerminal(rows: 20, columns: 60, width: TextWidth.columns(of:))
    terminal = Terminal(input: pseudoTerminal.descriptor, output: pseudoTerminal.descriptor)
    try #require(write(pseudoTerminal.descriptor, "$ play", 6) == 6)
  }

  @Test func `the size of the terminal is reported`() throws {
    #expect(terminal.isInteractive)
    #expect(terminal.size == Size(rows: 20, columns: 60))
    try pseudoTerminal.resize(rows: 10, columns: 30)
    #expect(terminal.size == Size(rows: 10, columns: 30))
    try pseudoTerminal.resize(rows: 0, columns: 0)
    #expect(terminal.size == Size(rows: 24, columns: 80))
  }

  @Test func `a terminal of any size gets a frame of bounded size`() throws {
    for (rows, columns) in [(65_535, 65_535), (1, 65_535), (65_535, 1), (201, 501)] {
      // Not by `resize`, whose emulator would have to hold as many cells.
      var window = winsize(
        ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(pseudoTerminal.descriptor, UInt(TIOCSWINSZ), &window) == 0)
      #expect(terminal.size == Size(rows: min(rows, 200), columns: min(columns, 500)))
    }
  }

  @Test func `leaving restores the settings and the screen`() throws {
    let before = try pseudoTerminal.settings
    try terminal.enter()
    #expect(try !pseudoTerminal.echoes)
    try pseudoTerminal.wait(for: "the alternate screen") { $0.modes == [1049, 1000, 1006, 2004] }
    #expect(pseudoTerminal.screen.lines[0] == "")
    #expect(!pseudoTerminal.screen.isCursorVisible)
    terminal.leave()
    #expect(try pseudoTerminal.settings == before)
    try pseudoTerminal.wait(for: "the screen of before") { $0.lines[0] == "$ play" }
    #expect(pseudoTerminal.screen.isCursorVisible)
    #expect(pseudoTerminal.screen.modes == [25])
  }

  @Test func `without the mouse, clicks are not reported`() throws {
    let terminal = Terminal(
      input: pseudoTerminal.descriptor, output: pseudoTerminal.descriptor, hasMouse: false)
    try terminal.enter()
    try pseudoTerminal.wait(for: "the alternate screen") { $0.modes == [1049, 2004] }
    terminal.leave()
    try pseudoTerminal.wait(for: "the screen of before") { $0.modes == [25] }
  }

  @Test func `entering or leaving twice has no further effect`() throws {
    let before = try pseudoTerminal.settings
    terminal.leave()
    try terminal.enter()
    try terminal.enter()
    terminal.leave()
    terminal.leave()
    #expect(try pseudoTerminal.settings == before)
    try pseudoTerminal.wait(for: "the screen of before") {
      $0.modes == [25] && $0.lines[0] == "$ play"
    }
    #expect(try !pseudoTerminal.readSome(before: .zero))
  }

  @Test func `entering again restores the settings after another program changed them`() throws {
    let before = try pseudoTerminal.settings
    try terminal.enter()
    try pseudoTerminal.start("/bin/stty", ["sane"])
    #expect(try pseudoTerminal.exitCode() == 0)
    #expect(try pseudoTerminal.echoes)
    try terminal.enter()
    #expect(try !pseudoTerminal.echoes)
    terminal.leave()
    #expect(try pseudoTerminal.settings == before)
  }

  @Test func `a non-blocking slow terminal receives all bytes`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    let slow = Terminal(input: pseudoTerminal.descriptor, output: ends[1])
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "wc -c"]
    reader.standardInput = FileHandle(fileDescriptor: ends[0])
    let counted = Pipe()
    reader.standardOutput = counted
    try reader.run()
    #expect(slow.write(bytes))
    close(ends[1])
    let count = String(decoding: counted.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(count.contains("300000"))
    reader.waitUntilExit()
    close(ends[0])
  }

  @Test func `a terminal that is gone fails without harm`() throws {
    let gone = Terminal(input: -1, output: -1)
    #expect(!gone.isInteractive)
    #expect(!gone.write([0x20]))
    #expect(!gone.write([0x20]))
    #expect(throws: (any Error).self) { try gone.enter() }
    gone.leave()
  }
}
