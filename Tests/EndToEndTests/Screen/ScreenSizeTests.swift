import Foundation
import TestSupport
import Testing

@testable import Client

/// Terminals of other sizes, and output that is no terminal.
@Suite(.serialized) struct ScreenSizeTests {
  @Test func `the screen follows the terminal's size, and reports one that is too small`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    let game = ann.lines
    try ann.terminal.resize(rows: 12, columns: 50)
    try ann.wait(for: "Your turn: place X")
    try ann.terminal.resize(rows: 5, columns: 40)
    try ann.wait(for: "Make the terminal at least")
    try ann.terminal.resize(rows: 24, columns: 80)
    try ann.wait(until: "the game of before") { $0 == game }
  }

  @Test(arguments: [
    (["--plain"], [:]), ([], ["TERM": "dumb"]), ([], ["TERM": ""]),
  ])
  func `options and the environment select plain lines`(
    arguments: [String], environment: [String: String]
  ) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"] + arguments, environment: environment)
    try ann.wait(for: "You are ann.")
    #expect(ann.terminal.screen.modes.isEmpty)
    #expect(try ann.terminal.echoes)
    try ann.type("quit\n")
    try ann.expectEnd(0)
  }

  @Test func `NO_COLOR keeps the full screen, without colours`() throws {
    let server = try RunningServer()
    let ann = try server.screen(
      ["--name", "ann", "--start", "bot"], environment: ["NO_COLOR": "1"])
    try ann.wait(for: "Your turn: place X")
    #expect(!ann.terminal.screen.modes.isEmpty)
    try ann.type("5")
    try ann.wait(for: "Last move: O")
    let screen = ann.terminal.screen
    let looks = (0..<screen.rows).flatMap { row in
      (0..<screen.columns).map { screen[row, $0].look }
    }
    #expect(looks.allSatisfy { $0.color == nil })
    #expect(looks.contains { $0.isBold } && looks.contains { $0.isReversed })
  }

  @Test func `the configuration file changes the full screen`() throws {
    let folder = try ConfigurationFolder("ascii = yes\nmouse = no\ncolors = no\nname = ann")
    let server = try RunningServer()
    let ann = try server.screen(["--start", "bot"], environment: folder.environment)
    try ann.wait(for: "Your turn: place X")
    #expect(ann.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
    #expect(ann.terminal.screen.modes == [1049, 2004, 25])
    try ann.type(Keys.control("c"))
    try ann.wait(for: "y")
    try ann.type(Keys.control("c"))
    try ann.expectEnd(0)
  }

  @Test(arguments: [#""$@" </dev/null"#, #""$@" | cat"#])
  func `a pipe or a file selects plain lines`(shell: String) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"], shell: shell)
    try ann.wait(for: "You are ann.")
    #expect(ann.terminal.screen.modes.isEmpty)
    if shell.hasSuffix("cat") { try ann.type("quit\n") }
    try ann.expectEnd(0)
  }
}
