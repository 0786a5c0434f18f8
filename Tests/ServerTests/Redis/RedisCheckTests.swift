import Testing

@testable import Server

@Suite struct RedisCheckTests {
  /// An engine that gives the same replies to everything, at once.
  private final class FixedRedis: Redis {
    let replies: [RedisReply]?

    init(_ replies: [RedisReply]?) { self.replies = replies }

    var isConnected: Bool { true }

    func send(
      _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void
    ) {
      answer(replies)
    }

    func reconnect() {}
  }

  private static let good = [
    "maxmemory-policy": "noeviction", "appendonly": "yes", "repl-backlog-size": "268435456",
    "client-output-buffer-limit": "normal 0 0 0 slave 1073741824 0 0 pubsub 1 1 1",
    "min-replicas-to-write": "1",
  ]

  private func bulk(_ text: String) -> RedisReply { .bulk(Array(text.utf8)) }

  private func finding(
    version: String = "7.0.15", connected: Int = 2, replicas: Int = 1, downAfter: Duration? = nil,
    script: RedisReply = .integer(0), _ changes: [String: String] = [:]
  ) -> RedisCheck.Finding? {
    let settings = Self.good.merging(changes) { $1 }.flatMap { [bulk($0), bulk($1)] }
    return finding(
      [
        bulk("# Server\r\nredis_version:\(version)\r\nos:Linux\r\n"),
        bulk("role:master\r\nconnected_slaves:\(connected)\r\n"), .array(settings), script,
      ], replicas: replicas, downAfter: downAfter)
  }

  private func finding(
    _ replies: [RedisReply]?, replicas: Int = 1, downAfter: Duration? = nil
  ) -> RedisCheck.Finding? {
    var found: RedisCheck.Finding?
    RedisCheck.run(on: FixedRedis(replies), replicas: replicas, downAfter: downAfter) {
      found = $0
    }
    return found
  }

  @Test func `an engine that is set up well`() {
    #expect(finding() == .good(notes: []))
    #expect(finding(["client-output-buffer-limit": "slave 0 0 0"]) == .good(notes: []))
    #expect(finding(downAfter: .milliseconds(1_500)) == .good(notes: []))
  }

  private func finding(_ changes: [String: String]) -> RedisCheck.Finding? {
    finding(version: "7.0.15", changes)
  }

  @Test(arguments: [
    ("maxmemory-policy", "allkeys-lru", "Set it to noeviction."),
    ("appendonly", "no", "Set it to yes."),
    ("repl-backlog-size", "1048576", "Set it to 256mb or more."),
    ("min-replicas-to-write", "0", "Set it to 1."),
    (
      "client-output-buffer-limit", "normal 0 0 0 slave 268435456 67108864 60",
      "Set it to replica 1gb 1gb 0 or more."
    ),
  ])
  func `a setting with which something may be lost`(
    setting: String, value: String, advice: String
  ) {
    #expect(
      finding([setting: value]) == .wrong("The engine has \(setting) \(value). \(advice)"))
  }

  @Test func `what only matters to replicas is not asked for without any`() {
    let changes = ["min-replicas-to-write": "0", "repl-backlog-size": "1048576"]
    #expect(
      finding(connected: 0, replicas: 0, changes)
        == .good(notes: ["Without a replica, what the engine loses is lost."]))
    #expect(
      finding(connected: 0, replicas: 0, ["appendonly": "no"])
        == .wrong("The engine has appendonly no. Set it to yes."))
  }

  @Test func `an engine that takes nothing without replicas, and has none`() {
    #expect(
      finding(connected: 0, replicas: 0)
        == .wrong(
          "The engine takes nothing without 1 replica, and has 0."
            + " Set min-replicas-to-write to 0, or start replicas."))
  }

  @Test func `a user who may not run scripts`() {
    let refusal = "NOPERM User lim has no permissions to run the 'eval' command."
    #expect(
      finding(script: .error(refusal))
        == .wrong(
          "The engine does not run the scripts of the server: NOPERM User lim has no permissions"
            + " to run the 'eval' command. Its user needs the rights that docs/cluster/users.acl"
            + " has."))
  }

  @Test func `without a spare replica a failover stops play`() {
    #expect(
      finding(connected: 1)
        == .good(notes: [
          "With only 1 replica, a failover stops play until the lost copy is back."
        ]))
  }

  @Test func `Sentinels that give the primary up too soon`() {
    #expect(
      finding(downAfter: .milliseconds(1_499))
        == .wrong("The Sentinels have down-after-milliseconds 1499. Set it to 1500 or more."))
  }

  @Test func `an old engine, and one without its replicas`() {
    #expect(
      finding(version: "6.2.1")
        == .wrong("The engine is version 6.2.1. Install Redis 7, Valkey, or later."))
    #expect(
      finding(connected: 0)
        == .incomplete(
          "Each entry has to be confirmed by 1 replica, but the engine has only 0."
            + " Start more, or ask for fewer with --cluster-replicas."))
  }

  @Test func `an engine that hides its settings, or does not answer`() {
    let hidden: [RedisReply] = [
      bulk("redis_version:7.2.4\r\n"), bulk("connected_slaves:2\r\n"),
      .error("ERR unknown command 'CONFIG'"), .integer(0),
    ]
    let note =
      "The engine does not show all its settings. The manual page lists those that it needs."
    #expect(finding(hidden) == .good(notes: [note]))
    #expect(finding(nil as [RedisReply]?) == .noAnswer)
  }

  @Test func `all that is wrong is said at once, with the lines to put`() {
    #expect(
      finding(
        version: "7.0.15", downAfter: .milliseconds(1_000),
        [
          "appendonly": "no", "repl-backlog-size": "1048576", "min-replicas-to-write": "0",
        ])
        == .wrong(
          """
          The engine has appendonly no. Set it to yes. The engine has min-replicas-to-write 0. Set \
          it to 1. The engine has repl-backlog-size 1048576. Set it to 256mb or more. The Sentinels \
          have down-after-milliseconds 1000. Set it to 1500 or more. The lines for the configuration:
            appendonly yes
            min-replicas-to-write 1
            repl-backlog-size 256mb
            down-after-milliseconds 1500
          """))
  }

  @Test(arguments: [
    ("repl-diskless-sync", "no", "repl-diskless-sync yes"),
    ("repl-diskless-sync-delay", "5", "repl-diskless-sync-delay 0"),
    ("appendfsync", "no", "appendfsync everysec"),
  ])
  func `a setting with which play stops for longer is named, with the line to put`(
    setting: String, value: String, line: String
  ) throws {
    guard case .good(let notes) = finding([setting: value]) else {
      Issue.record("refused")
      return
    }
    #expect(notes.count == 1)
    #expect(try #require(notes.first).hasPrefix("The engine has \(setting) \(value). "))
    #expect(try #require(notes.first).hasSuffix(line))
  }

  @Test func `a delay of copies does not matter without replicas`() {
    #expect(
      finding(
        connected: 0, replicas: 0,
        [
          "repl-diskless-sync": "no", "repl-diskless-sync-delay": "5",
          "min-replicas-to-write": "0",
        ]) == .good(notes: ["Without a replica, what the engine loses is lost."]))
  }
}
