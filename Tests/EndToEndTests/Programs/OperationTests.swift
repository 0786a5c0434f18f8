import Foundation
import Shared
import Testing

/// Operating the real server: signals, the log and the counters.
@Suite(.serialized) struct OperationTests {
  /// Two players who have received the start of their game.
  private func match(at server: RunningServer) throws -> (x: SocketSession, o: SocketSession) {
    let (x, o) = (try SocketSession(port: server.port), try SocketSession(port: server.port))
    try x.type("login ann\nstart")
    try read(from: x, until: "didQueue")
    try o.type("login bob\nstart")
    for player in [x, o] { try read(from: player, until: "gameDidStart") }
    return (x, o)
  }

  @discardableResult
  private func read(from session: SocketSession, until text: String) throws -> String {
    while let line = try session.readLine() {
      if line.contains(text) { return line }
    }
    throw RunningProgram.TimeoutError(description: "“\(text)” did not come.")
  }

  @Test func `after SIGTERM the running game may end, no other begins, and the server stops`()
    throws
  {
    let server = try RunningServer(["--drain", "10m"])
    let (ann, bob) = try match(at: server)
    server.program.send(SIGTERM)
    try server.program.readErrorOutput(until: "draining games=1")
    let zoe = try SocketSession(port: server.port)
    try zoe.type("login zoe\nstart bot")
    try read(from: zoe, until: "shuttingDown")
    try ann.type("place 1 1")
    try read(from: bob, until: "boardDidChange")
    try bob.type("resign")
    for session in [ann, bob] {
      try read(from: session, until: "gameDidEnd")
      #expect(try session.readLine()?.contains(#""reason":"shutdown""#) == true)
    }
    for session in [ann, bob, zoe] {
      #expect(try session.readLine()?.contains(#""type":"bye","code":"shutdown""#) == true)
      #expect(try session.readLine() == nil)
    }
    #expect(try server.program.exitCode() == 0)
    #expect(try server.program.errorOutput().hasSuffix("info stopped\n"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a second signal stops the server while a game runs`(second: Int32) throws {
    let server = try RunningServer(["--drain", "10m"])
    let (ann, _) = try match(at: server)
    server.program.send(SIGTERM)
    try server.program.readErrorOutput(until: "draining games=1")
    server.program.send(second)
    #expect(try read(from: ann, until: "matchDidEnd").contains(#""reason":"shutdown""#))
    try read(from: ann, until: "bye")
    #expect(try server.program.exitCode() == 0)
  }

  @Test func `the server waits for a running game only as long as --drain says`() throws {
    let server = try RunningServer(["--drain", "50ms"])
    let (ann, _) = try match(at: server)
    server.program.send(SIGTERM)
    try read(from: ann, until: "bye")
    #expect(try server.program.exitCode() == 0)
    #expect(try server.program.errorOutput().contains("drained games=1"))
  }

  /// There are more players than the server accepts in one turn.
  @Test func `players who reconnect in time while the server is stopped keep their sessions`()
    throws
  {
    let server = try RunningServer(["--resume-within", "3s"])
    var tokens: [String] = []
    do {
      var players: [SocketSession] = []
      for number in 1...60 {
        let player = try SocketSession(port: server.port)
        try player.type("login p\(number)\nstart bot")
        let login = try read(from: player, until: "didLogin")
        tokens.append(String(try #require(login.firstMatch(of: /"token":"([^"]+)"/)?.1)))
        try read(from: player, until: "gameDidStart")
        players.append(player)
      }
    }
    try server.program.readErrorOutput(until: "disconnected connection=60 ")
    server.program.send(SIGSTOP)
    let players = try tokens.map { token in
      let player = try SocketSession(port: server.port)
      try player.type("resume \(token) 1")
      return player
    }
    let loop = try EventLoop()
    let end = loop.now + .milliseconds(3_200)
    try loop.turn(until: "--resume-within has passed") { loop.now >= end }
    server.program.send(SIGCONT)
    for player in players {
      _ = try player.readLine()
      let answer = try player.readLine() ?? "nothing"
      #expect(answer.contains("didLogin"), "\(answer)")
    }
  }

  @Test func `SIGUSR1 shows the live tree and the counters`() throws {
    let server = try RunningServer(["--log-level", "off"])
    let (ann, bob) = try match(at: server)
    try ann.type("place 1 1")
    try read(from: bob, until: "boardDidChange")
    server.program.send(SIGUSR1)
    try server.program.readErrorOutput(until: " bytesOut=")
    server.program.send(SIGTERM)
    for player in [ann, bob] { try read(from: player, until: "bye") }
    #expect(try server.program.exitCode() == 0)
    let lines = try server.program.errorOutput().split(separator: "\n").map { $0.dropFirst(25) }
    try #require(lines.count == 4)
    #expect(lines[0] == "info tree: Root")
    #expect(lines[1].hasPrefix("info tree:   LoggedIn: "))
    #expect(lines[1].hasSuffix(" X ann (connection 1), O bob (connection 2), 0 watching"))
    #expect(lines[2] == "info tree:     TicTacToe: .../.X./..., O to move")
    #expect(lines[3].hasPrefix("info counters connections=2 connectionsTotal=2 sessions=2 "))
    #expect(lines[3].contains(" moves=1 linesIn=5 "))
  }

  @Test func `the log in JSON has each event of a session, without its token`() throws {
    let server = try RunningServer(["--log-level=trace", "--log-format=json"])
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann")
    let login = try read(from: ann, until: "didLogin")
    let token = try #require(login.firstMatch(of: /"token":"([^"]+)"/)?.1)
    try ann.type("resume \(token)\nresume \(token) x\nquit")
    try read(from: ann, until: "bye")
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let log = try server.program.errorOutput()
    #expect(!log.contains(token))
    var events: [String] = []
    for line in log.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      events.append(try #require(object?["event"] as? String))
    }
    #expect(
      events == [
        "listening", "connected", "out", "in", "loggedIn", "out", "in", "out", "in", "out", "in",
        "sessionEnded", "out", "disconnected", "signal", "draining", "drained", "stopping",
        "stopped",
      ])
  }

  @Test func `a server whose terminal closes keeps running`() throws {
    let server = try RunningServer()
    server.program.send(SIGHUP)
    let ann = try SocketSession(port: server.port)
    try ann.type("ping")
    try read(from: ann, until: "pong")
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
  }

  @Test func `a server whose log file cannot grow keeps running`() throws {
    let log = NSTemporaryDirectory() + "tictactoe-log-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: log) }
    // The unit of `ulimit -f` is 512 or 1,024 bytes, depending on the shell.
    let server = try RunningServer(ulimit: "-f 1", ["--log-level", "trace"], log: log)
    let ann = try SocketSession(port: server.port)
    try ann.type(String(repeating: "help\n", count: 10) + "ping")
    try read(from: ann, until: "pong")
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    #expect(size == 512 || size == 1_024)
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
  }

  @Test func `a server whose log is not read keeps running`() throws {
    let server = try RunningServer(["--log-level", "trace", "--per-second", "0"])
    let ann = try SocketSession(port: server.port)
    // The log of these is far more than a pipe holds.
    for _ in 0..<50 { try ann.type("help\nhelp\nhelp\nhelp\nping") }
    for _ in 0..<50 { try read(from: ann, until: "pong") }
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
  }
}
