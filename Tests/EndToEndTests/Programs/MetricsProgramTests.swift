import Foundation
import Testing

/// What the real server serves with `--metrics`.
@Suite(.serialized) struct MetricsProgramTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")

  private static let promtool = ProcessInfo.processInfo.environment["PATH"]?
    .split(separator: ":").map { "\($0)/promtool" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Starts a server with metrics on a free port, and returns that port too.
  private func server(_ address: String = "127.0.0.1:0") throws -> (RunningServer, port: String) {
    let server = try RunningServer(["--metrics", address])
    let log = try server.program.readErrorOutput(until: "info listening")
    let port = try #require(log.firstMatch(of: /info servesMetrics on=\S+:([0-9]+)\n/)?.1)
    return (server, String(port))
  }

  /// Sends a request, and returns everything that comes until the connection is closed.
  private func ask(_ path: String, port: String) throws -> String {
    let session = try SocketSession(port: port)
    try session.type("GET \(path) HTTP/1.0\r\n\r")
    var text = ""
    while let line = try session.readLine() { text += "\(line)\n" }
    return text
  }

  private func run(_ program: String, _ arguments: [String], input: String = "") throws -> Int32 {
    let process = try RunningProgram(URL(fileURLWithPath: program), arguments)
    try process.type(input)
    try process.endInput()
    let output = try process.readToEnd()
    let errors = try process.errorOutput()
    #expect(!errors.contains("tictactoe") && !errors.contains("process"), "\(errors)\(output)")
    return try process.exitCode()
  }

  @Test func `the loop's turns and the answers to lines are measured`() throws {
    let (server, port) = try server()
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann\nstart bot\nping")
    while let line = try ann.readLine(), !line.contains("pong") {}
    let page = try ask("/metrics", port: port)
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
    #expect(page.contains("\ntictactoe_reply_seconds_count 3\n"))
    #expect(page.contains("\ntictactoe_moves_total{game=\"tictactoe\"} 0\n"))
    let turns = try #require(page.firstMatch(of: /\ntictactoe_loop_turn_seconds_count ([0-9]+)/))
    #expect(try #require(Int(turns.1)) > 1)
    let memory = try #require(page.firstMatch(of: /\nprocess_resident_memory_bytes ([0-9]+)/))
    #expect(try #require(Int(memory.1)) > 1_000_000)
    // Standard input, output and error, epoll and the sockets.
    let descriptors = try #require(page.firstMatch(of: /\nprocess_open_fds ([0-9]+)/))
    #expect((6...60).contains(try #require(Int(descriptors.1))))
    #expect(try ask("/readyz", port: port).hasSuffix("\r\n\r\nNew games may begin.\n"))
    #expect(try ask("/healthz", port: port).hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try ask("/", port: port).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
  }

  @Test func `nonsense on the port of the metrics is refused, and the games go on`() throws {
    let (server, port) = try server()
    for nonsense in ["what\n", "\0\u{16}\u{3}\n", "{\"type\":\"login\"}\n"] {
      let session = try SocketSession(port: port)
      try session.type(nonsense)
      #expect(try session.readLine() == "HTTP/1.1 400 Bad Request\r")
    }
    let ann = try SocketSession(port: server.port)
    try ann.type("ping")
    while let line = try ann.readLine(), !line.contains("pong") {}
  }

  @Test func `the first line of the log still says where the data is`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try RunningServer(["--metrics", "0", "--data", folder.path])
    let log = try server.program.readErrorOutput(until: "info listening")
    #expect(log.hasPrefix("tictactoe-server: The data is in \(folder.path).\n"), "\(log)")
    #expect(log.contains("info servesMetrics"))
  }

  @Test func `while the server drains, it is not ready, and it does not wait for a scraper`() throws
  {
    let server = try RunningServer(["--metrics", "0", "--drain", "10m"])
    let log = try server.program.readErrorOutput(until: "info listening")
    let port = String(try #require(log.firstMatch(of: /servesMetrics on=127\.0\.0\.1:([0-9]+)/)?.1))
    let idle = try SocketSession(port: port)
    try idle.type("GET /healthz HTTP/1.1\r\nHost: here\r\n\r")
    #expect(try idle.readLine() == "HTTP/1.1 200 OK\r")
    let (ann, bob) = (try SocketSession(port: server.port), try SocketSession(port: server.port))
    try ann.type("login ann\nstart")
    while let line = try ann.readLine(), !line.contains("didQueue") {}
    try bob.type("login bob\nstart")
    while let line = try bob.readLine(), !line.contains("gameDidStart") {}
    server.program.send(SIGTERM)
    try server.program.readErrorOutput(until: "draining games=1")
    let answer = try ask("/readyz", port: port)
    #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nThe server is draining: it begins no more games.\n"))
    try bob.type("resign")
    let begin = ContinuousClock.now
    #expect(try server.program.exitCode() == 0)
    #expect(ContinuousClock.now - begin < .seconds(3))
  }

  @Test func `a port of the metrics that is in use exits with 69`() throws {
    let (first, port) = try server()
    defer { first.program.send(SIGKILL) }
    let second = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", "none", "--metrics", port])
    #expect(try second.exitCode() == 69)
    let sentence = try second.errorOutput()
    #expect(sentence.contains("Port \(port) is in use."))
    #expect(sentence.contains("tictactoe-server --metrics HOST:PORT"))
  }

  @Test func `a host of the metrics that does not exist exits with 68`() throws {
    let server = try RunningProgram(
      product: "tictactoe-server",
      ["--port", "0", "--data", "none", "--metrics", "no-such-host.invalid:9100"])
    #expect(try server.exitCode() == 68)
  }

  @Test(.enabled(if: promtool != nil, "no promtool here"))
  func `promtool has nothing to say about the metrics and the alerts`() throws {
    let promtool = try #require(Self.promtool)
    let (server, port) = try server()
    let page = try ask("/metrics", port: port)
    server.program.send(SIGKILL)
    let body = try #require(page.firstRange(of: "\r\n\r\n"))
    #expect(
      try run(promtool, ["check", "metrics"], input: String(page[body.upperBound...].dropLast()))
        == 0)
    let alerts = Self.docs.appendingPathComponent("alerts.yml").path
    #expect(try run(promtool, ["check", "rules", alerts]) == 0)
  }

  @Test(.enabled(if: promtool != nil, "no promtool here"))
  func `each alert fires, and stays quiet`() throws {
    let tests = Self.docs.appendingPathComponent("alerts_test.yml")
    #expect(try run(try #require(Self.promtool), ["test", "rules", tests.path]) == 0)
    func names(_ file: String, _ pattern: Regex<(Substring, Substring)>) throws -> [Substring] {
      try String(contentsOf: Self.docs.appendingPathComponent(file), encoding: .utf8)
        .matches(of: pattern).map { $0.1 }
    }
    let alerts = try names("alerts.yml", /- alert: (\w+)/)
    let tested = try names("alerts_test.yml", /alertname="(\w+)"/)
    for alert in alerts { #expect(tested.filter { $0 == alert }.count >= 2, "\(alert)") }
  }
}
