import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// The metrics of the whole server, as Prometheus gets them.
@Suite struct MetricsTests {
  private let fixture: StoreFixture
  private let monitoring: Monitoring
  private let http: HTTPServer
  private var server: TestServer { fixture.server }

  init() throws {
    let clock = ManualTimers()
    fixture = try StoreFixture(games: [.ticTacToe, .other], clock: clock, isMeasured: true)
    let server = fixture.server
    let monitoring = Monitoring(
      try #require(fixture.metrics), games: GameRegistry([.ticTacToe, .other]),
      serverLog: server.serverLog, timers: clock, start: Date(timeIntervalSince1970: 1_700_000_000))
    monitoring.whyNotReady = { [control = server.control] in control.whyNotReady }
    self.monitoring = monitoring
    http = HTTPServer(timers: clock) { monitoring.answer($0) }
  }

  private func ask(_ path: String, method: String = "GET") throws -> (status: Int, body: String) {
    let (near, far) = server.network.connect()
    http.accept(far)
    near.send(Array("\(method) \(path) HTTP/1.0\r\n\r\n".utf8).span)
    server.network.run()
    let answer = String(decoding: near.takeReceived(), as: UTF8.self)
    let end = try #require(answer.firstRange(of: "\r\n\r\n"))
    return (
      try #require(Int(answer.dropFirst(9).prefix(3))), String(answer[end.upperBound...])
    )
  }

  private func metrics() throws -> ServedMetrics {
    server.clock.advance(by: Monitoring.pageTime)
    let (status, body) = try ask("/metrics")
    #expect(status == 200)
    return try ServedMetrics(body)
  }

  @Test func `after a match the metrics have its numbers`() throws {
    let (ann, bob) = try server.players()
    let watcher = server.client(as: "zoe")
    watcher.say("watch \(server.onlyMatch)")
    try ann.ask("place 0 0")
    try bob.ask(#"{"type":"place","row":1,"col":0,"id":1}"#)
    try bob.ask(#"{"type":"place","row":1,"col":1,"seq":3}"#)
    try ann.ask("what")
    let during = try metrics()
    #expect(during["tictactoe_spectators"] == 1)
    #expect(during[#"tictactoe_matches{game="tictactoe"}"#] == 1)
    #expect(during[#"tictactoe_games_running{game="tictactoe"}"#] == 1)
    #expect(during["tictactoe_sessions"] == 3)
    #expect(during["tictactoe_connections"] == 3)
    bob.cut()
    try bob.resume()
    watcher.say("leave")
    try ann.ask("place 0 1")
    try bob.ask("place 1 1")
    try ann.ask("place 0 2")
    for player in [ann, bob] { try player.ask("quit") }
    fixture.settle()
    let page = try metrics()
    for (key, value) in [
      #"tictactoe_moves_total{game="tictactoe"}"#: 5,
      #"tictactoe_moves_total{game="\#(Game.other.info.id)"}"#: 0,
      #"tictactoe_matches{game="tictactoe"}"#: 0,
      #"tictactoe_matches_started_total{game="tictactoe"}"#: 1,
      #"tictactoe_games_running{game="tictactoe"}"#: 0,
      #"tictactoe_games_started_total{game="tictactoe"}"#: 1,
      #"tictactoe_commands_total{command="place"}"#: 6,
      #"tictactoe_commands_total{command="login"}"#: 3,
      #"tictactoe_commands_total{command="resume"}"#: 1,
      #"tictactoe_commands_total{command="say"}"#: 0,
      #"tictactoe_refusals_total{code="unknownType"}"#: 1,
      #"tictactoe_refusals_total{code="notYourTurn"}"#: 1,
      #"tictactoe_goodbyes_total{code="quit"}"#: 2,
      "tictactoe_connections": 1, "tictactoe_connections_accepted_total": 4,
      "tictactoe_sessions": 1, "tictactoe_sessions_started_total": 3,
      "tictactoe_resumes_total": 1, "tictactoe_spectators": 0, "tictactoe_ready": 1,
      #"tictactoe_build_info{version="\#(Version.current)"}"#: 1,
      "process_start_time_seconds": 1_700_000_000,
    ] as [String: Double] {
      #expect(page[key] == value, "\(key)")
    }
    let counters = server.serverLog.counters
    #expect(page["tictactoe_received_lines_total"] == Double(counters.linesIn))
    #expect(page["tictactoe_received_bytes_total"] == Double(counters.bytesIn))
    #expect(page["tictactoe_sent_bytes_total"] == Double(counters.bytesOut))
    #expect(try #require(page["tictactoe_store_write_seconds_count"]) > 0)
    #expect(try #require(page["tictactoe_store_sync_seconds_count"]) > 0)
    #expect(try #require(page["tictactoe_archive_transaction_seconds_count"]) > 0)
    #expect(try #require(page["process_cpu_seconds_total"]) > 0)
  }

  @Test func `spectators of a match that ends do not count any more`() throws {
    let (ann, _) = try server.players()
    server.client(as: "zoe").say("watch \(server.onlyMatch)")
    #expect(try metrics()["tictactoe_spectators"] == 1)
    try ann.ask("leave")
    #expect(try metrics()["tictactoe_spectators"] == 0)
  }

  @Test func `refused connections are counted by reason`() throws {
    let server = TestServer(
      limits: ConnectionLimits(connections: 2, address: AddressLimits(connections: 1)))
    for address in ["1.1.1.1", "1.1.1.1", "2.2.2.2", "3.3.3.3"] { _ = server.client(from: address) }
    #expect(server.serverLog.counters.rejected == [.address: 1, .full: 1])
    #expect(server.serverLog.counters.goodbyes == [.full: 2])
    let proxied = TestServer(limits: ConnectionLimits(proxies: [try #require(IPNetwork("::1"))]))
    proxied.client().say("hello")
    #expect(proxied.serverLog.counters.rejected == [.proxy: 1])
  }

  @Test func `the time of a password check and of a late answer is counted`() throws {
    let metrics = try #require(fixture.metrics)
    let client = server.client(as: "ann")
    client.sendOnly("register \"correct horse\"")
    server.network.run()
    metrics.turnDidEnd(from: .zero, to: .zero, lines: server.serverLog.counters.linesIn)
    #expect(metrics.replies.histogram.count == 1)
    server.clock.advance(by: .seconds(2))
    fixture.settle()
    metrics.turnDidEnd(
      from: server.clock.now, to: server.clock.now, lines: server.serverLog.counters.linesIn)
    #expect(metrics.replies.histogram.count == 2)
    #expect(metrics.replies.histogram.sum >= .seconds(2))
    let page = try self.metrics()
    #expect(page["tictactoe_password_check_seconds_count"] == 1)
    #expect(page["tictactoe_loop_turn_seconds_count"] == 2)
  }

  @Test func `the wait of lines that let others continue counts as time to the answer`() throws {
    let metrics = try #require(fixture.metrics)
    let count = ClientConnection.maxBatchLines + 10
    let client = server.client()
    client.sendOnly(Array(repeating: "ping", count: count).joined(separator: "\n"))
    server.network.run()
    metrics.turnDidEnd(from: .zero, to: .zero, lines: server.serverLog.counters.linesIn)
    #expect(metrics.replies.histogram.count == count)
  }

  @Test func `a bot that searches is measured`() throws {
    let thinker = ManualBotThinker()
    let metrics = try #require(fixture.metrics)
    let measured = MeasuredBotThinker(thinker, timers: server.clock, metrics: metrics)
    var cell: Cell?
    _ = measured.move(on: GameInfo.connect.board, by: Strategy(level: .hard)) { cell = $0 }
    server.clock.advance(by: .seconds(1))
    #expect(metrics.botMoves.count == 0)
    thinker.answer()
    #expect(cell != nil)
    #expect(metrics.botMoves.sum == .seconds(1))
  }

  @Test func `the server is ready until it drains`() throws {
    #expect(try ask("/healthz") == (200, "The server is running.\n"))
    #expect(try ask("/readyz") == (200, "New games may begin.\n"))
    _ = try server.players()
    server.control.drain(within: nil) {}
    #expect(try ask("/readyz") == (503, "The server is draining: it begins no more games.\n"))
    #expect(try ask("/healthz").status == 200)
    #expect(try metrics()["tictactoe_ready"] == 0)
    server.control.shutDown()
    #expect(try ask("/readyz") == (503, "The server is stopping.\n"))
  }

  @Test func `before it is told otherwise, the server is starting`() throws {
    let monitoring = Monitoring(
      try #require(fixture.metrics), games: GameRegistry([]), serverLog: ServerLog(.silent),
      timers: server.clock, start: Date())
    let request = try HTTPRequest(line: "GET /readyz HTTP/1.0")
    #expect(
      monitoring.answer(request) == HTTPResponse(.unavailable, sentence: "The server is starting."))
  }

  @Test func `other paths and methods are refused`() throws {
    for path in ["/", "/metrics/", "/Metrics", "/metrics2", "//metrics"] {
      #expect(try ask(path).status == 404, "\(path)")
    }
    for path in ["/metrics", "/healthz", "/readyz"] {
      for method in ["POST", "PUT", "DELETE", "get"] {
        #expect(try ask(path, method: method).status == 405)
      }
      #expect(try ask(path, method: "HEAD") == (200, ""))
    }
    #expect(try ask("/metrics?x=1").status == 200)
  }

  @Test func `a page is served again for a moment`() throws {
    let first = try metrics()
    server.client(as: "ann").say("ping")
    #expect(try ServedMetrics(try ask("/metrics").body)["tictactoe_sessions"] == 0)
    #expect(try metrics()["tictactoe_sessions"] == 1)
    #expect(first["tictactoe_sessions"] == 0)
  }

  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")

  private func document(_ name: String) throws -> String {
    try String(contentsOf: Self.docs.appendingPathComponent(name), encoding: .utf8)
  }

  /// Makes the page have also what only some servers have.
  private func serveAllFigures() {
    fixture.metrics?.clusterFigures = { ClusterFigures(nodes: 3, engine: EngineFigures()) }
    fixture.metrics?.operation = {
      OperationFigures(maxConnections: 5, maxMatches: 6, droppedLines: 7, data: DiskFigures())
    }
  }

  @Test func `alerts learn of the limits, the disk, the configuration and the last backup`() throws
  {
    var figures = OperationFigures(maxConnections: 5, hasGoodConfiguration: false)
    figures.data = DiskFigures(of: NSTemporaryDirectory())
    figures.data?.archiveLag = .seconds(3)
    fixture.metrics?.operation = { [figures] in figures }
    let page = try metrics()
    #expect(page["tictactoe_max_connections"] == 5)
    #expect(page["tictactoe_max_matches"] == nil)
    #expect(page["tictactoe_configuration_good"] == 0)
    #expect(page["tictactoe_draining"] == 0)
    #expect(page["tictactoe_archive_lag_seconds"] == 3)
    #expect(page["tictactoe_last_backup_timestamp_seconds"] == 0)
    let (free, size) = (page["tictactoe_disk_free_bytes"], page["tictactoe_disk_size_bytes"])
    #expect(try #require(free) > 0 && #require(free) <= #require(size))
  }

  @Test(arguments: ["grafana.json", "alerts.yml"])
  func `the dashboard and the alerts query only metrics that the server serves`(
    name: String
  ) throws {
    serveAllFigures()
    let queried = try document(name).matches(of: /\b(?:tictactoe|process)_[a-z_]+/)
      .map { String($0.0) }
    // The page for browsers has metrics of its own.
    let ofPage = try document("web.md").matches(of: /`(tictactoe_web_[a-z_]+)`/)
      .map { String($0.1) }
    #expect(Set(queried).subtracting(try metrics().names).subtracting(ofPage) == [])
    #expect(!queried.isEmpty)
  }

  @Test func `the dashboard is valid, shows every metric, and uses the chosen data source`() throws
  {
    serveAllFigures()
    let text = try document("grafana.json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let dashboard = try #require(object as? [String: Any])
    #expect(try #require(dashboard["schemaVersion"] as? Int) >= 36)
    let panels = try #require(dashboard["panels"] as? [[String: Any]])
    #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    for panel in panels where panel["type"] as? String != "row" {
      let source = try #require(panel["datasource"] as? [String: String])
      #expect(source == ["type": "prometheus", "uid": "${datasource}"])
      let targets = try #require(panel["targets"] as? [[String: Any]])
      #expect(targets.allSatisfy { $0["expr"] is String } && !targets.isEmpty)
    }
    for name in try metrics().types.keys { #expect(text.contains(name), "\(name)") }
  }

  @Test func `the table of the metrics in the documentation is complete`() throws {
    serveAllFigures()
    // The page for browsers has metrics of its own.
    let row = /\n\| `((?:tictactoe_(?!web_)|process_)[a-z_]+)/
    let rows = try document("metrics-and-log.md").matches(of: row)
    #expect(Set(rows.map { String($0.1) }) == Set(try metrics().types.keys))
  }
}
