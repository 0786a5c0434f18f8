import Foundation
import TestSupport
import Testing

/// The real server as a node of a cluster, with a real engine.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct NodeTests {
  private let redis: RedisServer

  init() throws {
    redis = try RedisServer([
      "--appendonly", "yes", "--maxmemory-policy", "noeviction", "--requirepass", "sesame",
    ])
  }

  private func node(at address: String = "127.0.0.1:7777") throws -> RunningServer {
    try RunningServer([
      "--cluster", "redis://:sesame@127.0.0.1:\(redis.port)", "--cluster-replicas", "0", "--node",
      "north", "--advertise", address,
    ])
  }

  #if os(Linux)
    @Test func `the arguments of the process do not show the password`() throws {
      let arguments = try node().program.arguments()
      #expect(arguments.contains("redis://xxxxxxx@127.0.0.1:\(redis.port)"))
      #expect(!arguments.contains { $0.contains("sesame") })
    }

    @Test func `nor those of the Sentinels`() throws {
      let url = "redis+sentinel://:sesame@127.0.0.1:1/main?sentinel-"
      let node = try RunningProgram(
        product: "tictactoe-server",
        [
          "--host", "127.0.0.1", "--port", "0", "--advertise", "127.0.0.1:7777",
          "--cluster=\(url)user=ann&sentinel-password=a%40sesame",
        ])
      try node.readErrorOutput(until: "Waiting for the engine")
      let arguments = try node.arguments().joined(separator: " ")
      #expect(arguments.contains("sentinel-user=xxx&sentinel-password=xxxxxxxxxx"))
      #expect(!arguments.contains("sesame") && !arguments.contains("ann"))
      node.send(SIGINT)
      #expect(try node.exitCode() == 0)
    }
  #endif

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a node at once that waits for its engine`(signal: Int32) throws {
    let node = try RunningProgram(
      product: "tictactoe-server",
      [
        "--host", "127.0.0.1", "--port", "0", "--cluster", "redis://127.0.0.1:1", "--advertise",
        "127.0.0.1:7777",
      ])
    try node.readErrorOutput(until: "Waiting for the engine")
    node.send(signal)
    #expect(try node.exitCode() == 0)
    #expect(try !node.errorOutput().contains("cannot be used"))
  }

  @Test func `with JSON, the wait for the engine and its notes are JSON, and warnings`() throws {
    let redis = try RedisServer([
      "--appendonly", "yes", "--maxmemory-policy", "noeviction", "--appendfsync", "no",
    ])
    redis.kill()
    let node = try RunningProgram(
      product: "tictactoe-server",
      [
        "--host", "127.0.0.1", "--port", "0", "--cluster", "redis://127.0.0.1:\(redis.port)",
        "--cluster-replicas", "0", "--node", "north", "--advertise", "127.0.0.1:7777",
        "--log-format", "json",
      ])
    try node.readErrorOutput(until: "Waiting for the engine")
    try redis.start()
    _ = try node.readLine()
    node.send(SIGINT)
    #expect(try node.exitCode() == 0)
    let lines = try node.errorOutput().split(separator: "\n").map(String.init)
    for line in lines {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["event"] is String, "\(line)")
    }
    for text in ["Waiting for the engine", "appendfsync no", "Without a replica"] {
      let line = lines.first { $0.contains(text) }
      #expect(line?.contains(#""level":"warning","event":"start""#) == true, "\(text)")
    }
  }

  @Test(.enabled(if: RunningProgram.isInstalled("redis-cli"), "no redis-cli here"))
  func `a node that connects to the engine again warns of settings that are not good`() throws {
    let node = try node()
    for words in ["config set appendfsync no", "client kill type normal"] {
      let tool = try RunningProgram(
        URL(fileURLWithPath: "/usr/bin/env"),
        ["redis-cli", "-p", "\(redis.port)", "--no-auth-warning", "-a", "sesame"]
          + words.split(separator: " ").map(String.init))
      #expect(try tool.exitCode() == 0)
    }
    try node.program.readErrorOutput(until: " warning engineLost")
    let log = try node.program.readErrorOutput(until: "has appendfsync no")
    #expect(log.contains(" warning engineSettings: The engine has appendfsync no"))
    #expect(!log.contains("stoodDown"))
    node.program.send(SIGINT)
    #expect(try node.program.exitCode() == 0)
  }

  @Test func `the lines for the configuration of an engine are lines`() throws {
    let redis = try RedisServer(["--maxmemory-policy", "allkeys-lru"])
    let node = try RunningProgram(
      product: "tictactoe-server",
      [
        "--port", "0", "--cluster", "redis://127.0.0.1:\(redis.port)", "--cluster-replicas", "0",
        "--node", "north", "--advertise", "127.0.0.1:7777",
      ])
    #expect(try node.exitCode() == 69)
    let text = try node.errorOutput()
    #expect(text.hasPrefix("tictactoe-server: The engine has maxmemory-policy allkeys-lru."))
    #expect(
      text.hasSuffix(
        " The lines for the configuration:\n  maxmemory-policy noeviction\n  appendonly yes\n"))
  }

  @Test func `another process with its name ends a node, which says goodbye`() throws {
    let first = try node()
    let session = try SocketSession(port: first.port)
    try session.type("login ann")
    #expect(try session.readLine()?.hasPrefix(#"{"type":"hello""#) == true)
    #expect(try session.readLine()?.hasPrefix(#"{"type":"didLogin""#) == true)
    let second = try node()
    let bye = try session.readLine() ?? ""
    #expect(bye.hasPrefix(#"{"type":"bye","code":"shutdown""#) && bye.contains(#""retry":"#))
    #expect(try session.readLine() == nil)
    #expect(try first.program.exitCode() == 76)
    #expect(
      try first.program.errorOutput().contains(
        "Another process has joined the cluster as the node north."))
    second.program.send(SIGINT)
    #expect(try second.program.exitCode() == 0)
  }

  @Test func `an operator sees all nodes, and moves a match from one to the other`() throws {
    let sockets = ["north", "south"].map {
      "\(NSTemporaryDirectory())ttt-\($0)-\(UUID().uuidString.prefix(8))"
    }
    func admin(_ words: String..., at index: Int = 0) throws -> (code: Int32, output: String) {
      let program = try RunningProgram(
        product: "tictactoe-server", ["admin"] + words + ["--socket", sockets[index]])
      let output = try program.readToEnd()
      return (try program.exitCode(), output)
    }
    let nodes = try ["north", "south"].enumerated().map { index, name in
      try RunningServer(
        [
          "--cluster", "redis://:sesame@127.0.0.1:\(redis.port)", "--cluster-replicas", "0",
          "--node", name, "--advertise", "127.0.0.1", "--admin", sockets[index],
        ], port: "\(try RedisServer.freePort())")
    }
    defer { for node in nodes { node.program.send(SIGKILL) } }
    let ann = try SocketSession(port: nodes[0].port)
    try ann.type("login ann\nstart bot")
    var match: String?
    var token: String?
    while match == nil, let line = try ann.readLine() {
      token = token ?? line.firstMatch(of: /"token":"([^"]*)"/).map { String($0.1) }
      if line.contains("gameDidStart") {
        match = line.firstMatch(of: /"match":"([^"]*)"/).map { String($0.1) }
      }
    }
    let id = try #require(match)
    // South may need a second to see north.
    var table = ""
    for _ in 0..<20 where !table.contains("north") {
      table = try admin("cluster", at: 1).output
    }
    #expect(table.contains(#/north +127.0.0.1:\d+ +\d+ +serving .* 1 +1 /#), "\(table)")
    #expect(table.contains(#/south +127.0.0.1:\d+ +\d+ +serving .* 0 +0 /#), "\(table)")
    #expect(
      try admin("log", "debug", "--all").output == """
        north: The level of the log is debug.
        south: The level of the log is debug.

        """)
    #expect(try admin("move", id, "west").code == 1)
    #expect(
      try admin("move", id, "south", at: 1).output == "The match \(id) goes on at the node south.\n"
    )
    while let line = try ann.readLine() {
      guard line.contains(#""type":"bye""#) else { continue }
      #expect(line.contains(#""code":"moved""#) && line.contains("127.0.0.1:\(nodes[1].port)"))
      break
    }
    let again = try SocketSession(port: nodes[1].port)
    try again.type("resume \(try #require(token))")
    while let line = try again.readLine(), !line.contains("matchSnapshot") {}
    try again.type("place 0 0\nplace 2 2\nplace 0 1\nplace 2 1\nplace 1 1")
    while let line = try again.readLine(), !line.contains(#""by":"#), !line.contains("boardDid") {}
    #expect(try admin("players", "--all").output.contains("playing"))
    #expect(
      try admin("rebalance").output == "The nodes have their shares already: nothing moves.\n")
    // What an operator plans is done all the same.
    #expect(try admin("rebalance", "north=1", at: 1).output == "1 match is going to move.\n")
    while let line = try again.readLine(), !line.contains(#""type":"bye""#) {}
    #expect(try admin("drain", "--all").code == 0)
  }

  @Test func `a second process with its name at another address does not start`() throws {
    let first = try node()
    let second = try RunningProgram(
      product: "tictactoe-server",
      [
        "--port", "0", "--cluster", "redis://:sesame@127.0.0.1:\(redis.port)",
        "--cluster-replicas", "0", "--node", "north", "--advertise", "127.0.0.1:7778",
      ])
    #expect(try second.exitCode() == 76)
    #expect(
      try second.errorOutput().contains(
        "Another process is the node north of the cluster. It is alive at 127.0.0.1:7777."))
    let session = try SocketSession(port: first.port)
    #expect(try session.readLine()?.hasPrefix(#"{"type":"hello""#) == true)
    first.program.send(SIGINT)
    #expect(try first.program.exitCode() == 0)
  }
}
