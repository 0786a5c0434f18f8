import Foundation
import Shared
import TestSupport
import Testing

/// The samples of docs/writing-a-bot.md, at a server that is killed and started again while they
/// play.
@Suite(.serialized) struct SampleBotTests {
  private static let bots = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/bots")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder = NSTemporaryDirectory() + "tictactoe-bot-\(UUID().uuidString)"

  /// A connection may send so few lines that each kill comes in the middle of a game, and that the
  /// samples meet `tooFast`.
  private func start(port: String = "0") throws -> RunningServer {
    try RunningServer(
      ["--data", folder, "--log-level", "debug", "--per-second", "15", "--burst", "3"], port: port)
  }

  /// Kills the server after a move, several times. Returns the output of the bot.
  private func play(
    _ rounds: Int, with bot: (_ server: RunningServer) throws -> RunningProgram
  ) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var server = try start()
    let program = try bot(server)
    for _ in 1...rounds {
      try server.program.readErrorOutput(until: " moved ")
      server.program.send(SIGKILL)
      server = try start(port: server.port)
    }
    let output = try program.readToEnd()
    #expect(try program.exitCode() == 0)
    return output
  }

  private func runPython(_ file: String, _ arguments: [String]) throws -> RunningProgram {
    let script = Self.bots.appendingPathComponent(file).path
    return try RunningProgram(
      URL(fileURLWithPath: try #require(Self.python)), [script] + arguments)
  }

  @Test(.enabled(if: python != nil, "no python3 here"))
  func `the smallest client ends its game although the server is killed twice`() throws {
    let output = try play(2) { try runPython("smallest.py", ["127.0.0.1", $0.port]) }
    #expect(output.contains(/^(win [XO]|draw )\n$/))
  }

  @Test(.enabled(if: python != nil, "no python3 here"))
  func `the sample in Python plays all its games`() throws {
    let output = try play(3) {
      try runPython("complete.py", ["127.0.0.1:\($0.port)", "--games", "5"])
    }
    #expect(output.contains("5 games: "))
  }

  @Test func `the sample in Swift plays all its games`() throws {
    let output = try play(3) {
      try RunningProgram(product: "SampleBot", ["127.0.0.1:\($0.port)", "--games", "5"])
    }
    #expect(output.contains("5 games: "))
  }

  /// Starts a sample.
  private func run(
    _ sample: String, at port: String, _ options: [String] = []
  ) throws -> RunningProgram {
    switch sample {
    case "smallest.py": try runPython(sample, ["127.0.0.1", port])
    case "complete.py": try runPython(sample, ["127.0.0.1:\(port)"] + options)
    default: try RunningProgram(product: sample, ["127.0.0.1:\(port)"] + options)
    }
  }

  @Test(
    .enabled(
      if: python != nil && RedisServer.isInstalled, "no python3 or redis-server here"),
    arguments: ["complete.py", "SampleBot"])
  func `a sample follows to the node where its opponent waits`(sample: String) throws {
    let redis = try RedisServer(["--appendonly", "yes"])
    let nodes = try ["a", "b"].map { name in
      let port = "\(try RedisServer.freePort())"
      return try RunningServer(
        [
          "--node", name, "--advertise", "127.0.0.1:\(port)", "--cluster",
          "redis://127.0.0.1:\(redis.port)", "--cluster-replicas", "0", "--admin", "none",
        ], port: port)
    }
    let ann = try SocketSession(port: nodes[0].port)
    try ann.type("login ann\nstart")
    while let line = try ann.readLine(), !line.contains("didQueue") {}
    let bot = try run(sample, at: nodes[1].port, ["--opponent", "anyone"])
    while let line = try ann.readLine(), !line.contains("gameDidStart") {}
    try ann.type("resign")
    #expect(try bot.readToEnd().contains("1 games: "))
    #expect(try bot.exitCode() == 0)
  }

  @Test(.enabled(if: python != nil, "no python3 here"))
  func `the smallest client follows to the server that it is sent to`() throws {
    let server = try RunningServer()
    let loop = try EventLoop()
    let node = try ScriptedNode(on: loop) { _ in
      [.bye(.moved, message: "Moved.", to: "127.0.0.1:\(server.port)")]
    }
    let bot = try run("smallest.py", at: "\(node.port)")
    try loop.turn(until: "the client has logged in") { !node.received.isEmpty }
    #expect(try bot.readToEnd().contains(/(win [XO]|draw )/))
    #expect(try bot.exitCode() == 0)
    #expect(node.connections == 1)
  }

  @Test(
    .enabled(if: python != nil, "no python3 here"),
    arguments: ["smallest.py", "complete.py", "SampleBot"])
  func `a sample that comes while the server drains plays after the restart`(sample: String) throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let options = ["--data", folder, "--drain", "10m", "--log-level", "trace"]
    let server = try RunningServer(options)
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann\nstart bot")
    while let line = try ann.readLine(), !line.contains("gameDidStart") {}
    server.program.send(SIGTERM)
    try server.program.readErrorOutput(until: "draining games=1")
    let bot = try run(sample, at: server.port)
    try server.program.readErrorOutput(until: "shuttingDown")
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let next = try RunningServer(options, port: server.port)
    #expect(try bot.readToEnd().contains(/(win [XO]|draw )/))
    #expect(try bot.exitCode() == 0)
    next.program.send(SIGKILL)
  }

  @Test(
    .enabled(if: python != nil, "no python3 here"), arguments: ["tictactoe", "connect", "ultimate"])
  func `the samples play each other, also where not every free cell is open`(game: String) throws {
    let server = try RunningServer()
    let address = "127.0.0.1:\(server.port)"
    let ann = try runPython(
      "complete.py", [address, "--name", "ann", "--opponent", "bob", "--game", game])
    let bob = try RunningProgram(
      product: "SampleBot", [address, "--name", "bob", "--opponent", "anyone", "--game", game])
    for player in [ann, bob] {
      #expect(try player.readToEnd().contains("1 games: "))
      #expect(try player.exitCode() == 0)
    }
  }

  @Test func `the smallest client has at most 40 lines`() throws {
    let text = try String(
      contentsOf: Self.bots.appendingPathComponent("smallest.py"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
  }
}
