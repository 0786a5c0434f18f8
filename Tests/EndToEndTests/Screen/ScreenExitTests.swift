import Foundation
import TestSupport
import Testing

/// Every way out of the full screen gives the terminal back as it was.
@Suite(.serialized) struct ScreenExitTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends the program, as the shell sees`(signal: Int32) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    ann.terminal.send(signal)
    try ann.expectEnd(-signal)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends the program before anybody is logged in`(signal: Int32) throws {
    let ann = try ScreenClient([])
    try ann.wait(for: "Your name")
    ann.terminal.send(signal)
    try ann.expectEnd(-signal)
  }

  @Test(arguments: [SIGQUIT, SIGABRT, SIGSEGV])
  func `where the program dies of a fault, the terminal can be used`(signal: Int32) throws {
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

  @Test(arguments: [false, true])
  func `a server that is killed and comes back is found again`(inGame: Bool) throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"] + (inGame ? ["--start", "bot"] : []))
    try ann.wait(for: inGame ? "Your turn: place X" : "Whom do you want to play?")
    server.program.send(SIGKILL)
    try ann.wait(for: "Connection lost. Reconnecting …")
    let back = try RunningServer(port: server.port)
    // The new server knows of no match, and nobody else has the name.
    try ann.wait(for: "Whom do you want to play?")
    let bob = try back.client(["--name", "bob"])
    try ann.wait(for: "bob")
    try ann.type("q")
    try ann.expectEnd(0)
    try bob.endInput()
  }

  @Test func `a server that stops says so, and the form is there for the next one`() throws {
    let server = try RunningServer(["--drain", "0"])
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    server.program.send(SIGTERM)
    try ann.wait(for: "The server is shutting down. Come back later.")
    try ann.wait(for: "Enter: play")
    try ann.type(Keys.control("c"))
    try ann.expectEnd(0)
  }

  @Test func `a window that is closed ends the program`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"])
    try ann.wait(for: "Whom do you want to play?")
    ann.terminal.hangUp()
    // The signal, or the end of the input: whichever it sees first.
    #expect([-SIGHUP, 74].contains(try ann.terminal.exitCode()))
  }

  @Test func `it ends also where SIGHUP is not for it`() throws {
    let server = try RunningServer()
    let ann = try server.screen(
      ["--name", "ann"], shell: #"trap "" HUP; "$@" 2>/dev/null; exit $?"#)
    try ann.wait(for: "Whom do you want to play?")
    ann.terminal.hangUp()
    #expect(try ann.terminal.exitCode() == 74)
  }

  @Test func `Ctrl-Z gives the terminal to the shell until it says to go on`() throws {
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
    try ann.wait(for: "[ended 0]")
    try ann.expectRestored()
  }

  @Test func `who was stopped from outside draws all of the screen again`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    let game = ann.lines
    ann.terminal.send(SIGSTOP)
    try ann.terminal.waitUntilStopped()
    // Nothing is on the screen now, and no other size is told of.
    try ann.terminal.resize(rows: 24, columns: 80)
    #expect(ann.lines.joined().isEmpty)
    ann.terminal.send(SIGCONT)
    try ann.wait(until: "the game of before") { $0 == game }
  }
}
