import Foundation
import Testing

/// Whole series with the real programs.
@Suite(.serialized) struct PlayTests {
  @Test func `two clients play a series`() throws {
    let server = try RunningServer()
    let ann = try server.client()
    for line in ["ann", "start", "1", "2", "3", "start", "9", "8", "leave"] { try ann.type(line) }
    try ann.read(until: "Waiting for an opponent")
    let bob = try server.client(["--name", "bob"])
    for line in ["start", "4", "5", "start", "1", "2", "3"] { try bob.type(line) }
    try ann.endInput()
    try bob.endInput()
    let (seenByAnn, seenByBob) = (try ann.readToEnd(), try bob.readToEnd())
    for (output, opponent) in [(seenByAnn, "bob"), (seenByBob, "ann")] {
      #expect(output.contains("You win with 1, 2, 3."))
      #expect(output.contains("\(opponent) wins with 1, 2, 3."))
    }
    #expect(try ann.exitCode() == 0)
    #expect(try bob.exitCode() == 0)
  }

  @Test func `a client plays against a person in netcat`() throws {
    let server = try RunningServer()
    let bob = try SocketSession(port: server.port)
    _ = try bob.readLine()
    try bob.type("login bob")
    _ = try bob.readLine()
    try bob.type("start")
    _ = try bob.readLine()
    let ann = try server.client(["--name", "ann"])
    try ann.type("start bob")
    #expect(try bob.readLine()?.contains(#""you":"X""#) == true)
    for (column, cell) in [(0, "4"), (1, "5"), (2, "")] {
      try bob.type("place 0 \(column)")
      #expect(try bob.readLine()?.contains(#""mark":"X""#) == true)
      guard !cell.isEmpty else { break }
      try ann.type(cell)
      #expect(try bob.readLine()?.contains(#""mark":"O""#) == true)
    }
    #expect(try bob.readLine()?.contains(#""winner":"X""#) == true)
    try ann.read(until: "bob wins with 1, 2, 3.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    #expect(try bob.readLine()?.contains(#""type":"matchDidEnd""#) == true)
  }

  @Test func `a person in netcat plays the bot to the end`() throws {
    let server = try RunningServer()
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann")
    try ann.type("start bot")
    for _ in 0..<3 { _ = try ann.readLine() }
    for cell in 0..<9 { try ann.type("place \(cell / 3) \(cell % 3)") }
    var end: String?
    while end == nil, let line = try ann.readLine() {
      if line.hasPrefix(#"{"type":"gameDidEnd""#) { end = line }
    }
    // A player that takes the cells in order does not beat the bot.
    #expect(end?.contains(#""winner":"X""#) == false)
  }

  @Test func `--name and --start go straight to a game against the bot`() throws {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    for cell in 1...9 { try ann.type("\(cell)") }
    try ann.endInput()
    let output = try ann.readToEnd()
    #expect(output.contains("ann puts X on 1."))
    #expect(output.contains("draws: "))
    #expect(try ann.exitCode() == 0)
    #expect(try ann.errorOutput().isEmpty)
  }

  @Test func `a URL goes straight to a game`() throws {
    let server = try RunningServer()
    let ann = try RunningProgram(
      product: "tictactoe-client",
      ["tictactoe://127.0.0.1:\(server.port)/start/bot", "--name", "ann"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
  }

  @Test func `in a script a start with an unknown player is explained and exits with 69`() throws {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann", "--start", "nobody"])
    try ann.read(until: "There is no such player")
    #expect(try ann.exitCode() == 69)
  }

  @Test func `in a script an unknown match or a refused name is explained and exits with 69`()
    throws
  {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann"])
    try ann.read(until: "> ")
    let eve = try server.client(["--watch", "nope"])
    try eve.endInput()
    try eve.read(until: "There is no such match")
    #expect(try eve.exitCode() == 69)
    let other = try server.client(["--name", "Ann"])
    #expect(try other.exitCode() == 69)
    #expect(try other.errorOutput().contains("That name is taken"))
  }

  @Test func `a pipe that ends while the client waits for an opponent means quit`() throws {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann"])
    try ann.type("start")
    try ann.read(until: "Waiting for an opponent")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
  }

  @Test func `two people play at one keyboard`() throws {
    let client = try RunningProgram(product: "tictactoe-client", ["--local"])
    for line in ["", "", "start", "1", "4", "2", "5", "3", "start", "5", "resign"] {
      try client.type(line)
    }
    try client.endInput()
    let output = try client.readToEnd()
    #expect(output.contains("Player 1 wins with 1, 2, 3."))
    #expect(output.contains("Player 1: 1, Player 2: 0, draws: 0."))
    #expect(output.contains("resigns"))
    #expect(try client.exitCode() == 0)
  }
}
