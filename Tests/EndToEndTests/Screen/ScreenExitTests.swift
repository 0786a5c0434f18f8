import Foundation
import TestSupport
import Testing

/// Every way out of the full screen restores the terminal.
@Suite(.serialized) struct ScreenExitTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `the shell sees which signal ended the program`(signal: Int32) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    ann.terminal.send(signal)
    try ann.expectEnd(-signal)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends the program before the login`(signal: Int32) throws {
    let ann = try ScreenClient([])
    try ann.wait(for: "Your name")
    ann.terminal.send(signal)
    try ann.expectEnd(-signal)
  }

  @Test(arguments: [SIGQUIT, SIGABRT, SIGSEGV])
  func `the terminal is usable after the program crashes`(signal: Int32) throws {
    let ann = try ScreenClient(["--local"])
    try ann.wait(for: "Player 1")
    ann.terminal.send(signal)
    #expect(try ann.terminal.exitCode() == -signal)
    try ann.expectNormalScreen()
    #expect(try ann.terminal.echoes)
  }

  @Test(arguments: ["q", Keys.control("c")])
  func `a key ends the program`(key: String) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"])
    try ann.wait(for: "Whom do you want to play?")
    try ann.type(key)
    try ann.expectEnd(0)
  }

  @Test(arguments: [[], ["--plain"]])
  func `a second Ctrl-C ends a game, whose opponent wins at once`(options: [String]) throws {
    let server = try RunningServer()
    let bob = try server.client(["--name", "bob"])
    try bob.type("start")
    try bob.read(until: "Waiting for an opponent")
    let ann = try server.screen(["--name", "ann", "--start", "bob"] + options)
    try ann.wait(for: options.isEmpty ? "bob to move" : "It is bob's turn.")
    try ann.type(Keys.control("c"))
    try ann.wait(for: options.isEmpty ? "lose this game? (y/n)" : "press Ctrl-C again")
    try ann.type(Keys.control("c"))
    try bob.read(until: "ann has left: you win.")
    // In plain lines Ctrl-C is a signal, which the shell expects to see.
    #expect(try ann.terminal.exitCode() == (options.isEmpty ? 0 : -SIGINT))
  }

  @Test(arguments: [false, true])
  func `the client reconnects to a server that was killed and started again`(inGame: Bool) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"] + (inGame ? ["--start", "bot"] : []))
    try ann.wait(for: inGame ? "Your turn: place X" : "Whom do you want to play?")
    server.program.send(SIGKILL)
    try ann.wait(for: "Connection lost. Reconnecting …")
    let back = try RunningServer(port: server.port)
    // The new server has no match, and the name is free.
    try ann.wait(for: "Whom do you want to play?")
    let bob = try back.client(["--name", "bob"])
    try ann.wait(for: "bob")
    try ann.type(Keys.control("c"))
    try ann.expectEnd(0)
    try bob.endInput()
  }

  @Test func `when the server stops, the client says so and shows the form`() throws {
    let server = try RunningServer(["--drain", "0"])
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    server.program.send(SIGTERM)
    try ann.wait(for: "The server is shutting down. Come back later.")
    try ann.wait(for: "Enter: play")
    try ann.type(Keys.control("c"))
    try ann.expectEnd(0)
  }

  @Test func `closing the window ends the program`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"])
    try ann.wait(for: "Whom do you want to play?")
    ann.terminal.hangUp()
    // The program sees the signal or the end of its input first.
    #expect([-SIGHUP, 74].contains(try ann.terminal.exitCode()))
  }

  @Test func `closing the window ends a program that ignores SIGHUP`() throws {
    let server = try RunningServer()
    let ann = try server.screen(
      ["--name", "ann"], shell: #"trap "" HUP; "$@" 2>/dev/null; exit $?"#)
    try ann.wait(for: "Whom do you want to play?")
    ann.terminal.hangUp()
    #expect(try ann.terminal.exitCode() == 74)
  }

  @Test func `Ctrl-Z gives the terminal to the shell until fg`() throws {
    let server = try RunningServer()
    let ann = try server.screen(
      ["--name", "ann", "--start", "bot"],
      shell: """
        set -m; "$@"; code=$? stops=0
        while [ $code -gt 128 ]; do
          stops=$((stops + 1)); echo "[stopped $stops]"; read line
          fg >/dev/null; code=$?
        done
        echo "[ended $code]"
        """)
    try ann.wait(for: "Your turn: place X")
    let game = ann.lines
    for count in 1...2 {
      try ann.type(Keys.control("z"))
      try ann.wait(for: "[stopped \(count)]")
      try ann.expectRestored()
      try ann.type("\n")
      try ann.wait(until: "the game of before") { $0 == game }
    }
    try ann.type("5")
    try ann.wait(for: "Last")
    try ann.type(Keys.control("c"))
    try ann.wait(for: "End the program, and lose this game? (y/n)")
    try ann.type(Keys.control("c"))
    try ann.wait(for: "[ended 0]")
    try ann.expectRestored()
  }

  @Test func `a client that was stopped from outside redraws the whole screen`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    let game = ann.lines
    ann.terminal.send(SIGSTOP)
    try ann.terminal.waitUntilStopped()
    // The screen is empty now, and the size is unchanged.
    try ann.terminal.resize(rows: 24, columns: 80)
    #expect(ann.lines.joined().isEmpty)
    ann.terminal.send(SIGCONT)
    try ann.wait(until: "the game of before") { $0 == game }
  }
}
