import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// The engine's client with a real engine.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct RedisLinkTests {
  private let loop: EventLoop
  private let events = Events()

  private final class Events {
    var connections = 0
    var reasons: [String] = []
  }

  init() throws { loop = try EventLoop() }

  private func link(_ url: String, replicas: Int = 0) throws -> RedisLink {
    let link = RedisLink(
      try RedisAddress(url), replicas: replicas, loop: loop, random: RandomSource())
    link.onConnect = { [events] in events.connections += 1 }
    link.onDisconnect = { [events] in events.reasons.append($0) }
    link.start()
    return link
  }

  /// Turns the loop until something is true. It gives up after a minute.
  private func wait(_ what: String, until isDone: () -> Bool) throws {
    let end = loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(loop.preciseNow < end, "waited for \(what); \(events.reasons.suffix(3))")
      try loop.turn(wait: .milliseconds(20))
    }
  }

  private func commands(_ words: [String]) -> RedisCommands {
    var commands = RedisCommands()
    commands.add(words)
    return commands
  }

  private func reply(of link: RedisLink, to words: String...) throws -> RedisReply? {
    try reply(of: link, to: commands(words))
  }

  /// Returns the reply to a command. If this machine is so busy that the engine is silent for half
  /// a second, it tries again.
  private func reply(of link: RedisLink, to commands: RedisCommands) throws -> RedisReply? {
    for _ in 0..<20 {
      try wait("the connection") { link.isConnected }
      if let reply = try firstReply(of: link, to: commands) { return reply }
    }
    return nil
  }

  /// Returns the reply to a command; `nil` if there is none.
  private func firstReply(
    of link: RedisLink, to commands: RedisCommands, confirmed: Replication = .never
  ) throws -> RedisReply? {
    var replies: [RedisReply]??
    link.send(commands, confirmed: confirmed) { replies = .some($0) }
    try wait("a reply") { replies != nil }
    return replies.flatMap { $0 }?.first
  }

  @Test func `commands, scripts and errors`() throws {
    let redis = try RedisServer()
    let link = try link("redis://127.0.0.1:\(redis.port)/1")
    try wait("the connection") { link.isConnected }
    #expect(try reply(of: link, to: "SET", "name", "zoë\r\n") == .status("OK"))
    #expect(try reply(of: link, to: "GET", "name")?.text == "zoë\r\n")
    #expect(try reply(of: link, to: "GET", "nothing") == .null)
    #expect(try reply(of: link, to: "LPUSH", "name", "x")?.isError == true)
    let script = RedisScript(name: "add", text: "return {KEYS[1], tonumber(ARGV[1]) + 1}")
    var commands = RedisCommands()
    commands.add(script, keys: ["k"], arguments: ["41"])
    let answer = try reply(of: link, to: commands)
    #expect(answer == .array([.bulk(Array("k".utf8)), .integer(42)]))
  }

  @Test func `the errors that tell what is wrong with an entry`() throws {
    let redis = try RedisServer()
    let link = try link("redis://127.0.0.1:\(redis.port)")
    try wait("the connection") { link.isConnected }
    #expect(try reply(of: link, to: "XADD", "j:a", "NOMKSTREAM", "1-1", "d", "x") == .null)
    #expect(try reply(of: link, to: "XADD", "j:a", "2-0", "d", "x")?.text == "2-0")
    let refusal = try reply(of: link, to: "XADD", "j:a", "NOMKSTREAM", "1-7", "d", "x")
    guard case .error(let text) = refusal else {
      Issue.record("An entry with a smaller id was accepted: \(String(describing: refusal)).")
      return
    }
    #expect(text.hasPrefix("ERR The ID specified in XADD is equal or smaller"))
  }

  @Test func `it connects again, and what was under way is answered`() throws {
    let redis = try RedisServer()
    let link = try link("redis://127.0.0.1:\(redis.port)")
    try wait("the connection") { link.isConnected }
    var answers: [RedisReply?] = []
    redis.send(SIGSTOP)
    link.ask("PING") { answers.append($0) }
    redis.kill()
    try wait("the end") { events.reasons.count > 0 && !answers.isEmpty }
    #expect(answers == [nil])
    #expect(try firstReply(of: link, to: commands(["PING"])) == nil)
    let before = events.connections
    try redis.start()
    try wait("the next connection") { events.connections > before }
    #expect(try reply(of: link, to: "PING") == .status("PONG"))
  }

  @Test func `a frozen engine is left`() throws {
    let redis = try RedisServer()
    let link = try link("redis://127.0.0.1:\(redis.port)")
    try wait("the connection") { link.isConnected }
    let before = events.connections
    redis.send(SIGSTOP)
    #expect(try firstReply(of: link, to: commands(["PING"])) == nil)
    #expect(events.reasons.contains { $0.hasSuffix("no reply for 500 ms") })
    redis.send(SIGCONT)
    try wait("the next connection") { events.connections > before }
  }

  @Test func `a durable write needs its replica`() throws {
    let primary = try RedisServer()
    let link = try link("redis://127.0.0.1:\(primary.port)", replicas: 1)
    try wait("the connection") { link.isConnected }
    #expect(try firstReply(of: link, to: commands(["SET", "a", "1"]), confirmed: .now) == nil)
    #expect(events.reasons.contains { $0.hasSuffix("too few replicas have what was written") })
    let replica = try RedisServer(["--replicaof", "127.0.0.1", "\(primary.port)"])
    try wait("the replica") {
      guard link.isConnected else { return false }
      let reply = try? firstReply(of: link, to: commands(["SET", "a", "2"]), confirmed: .now)
      return reply == .status("OK")
    }
    let other = try self.link("redis://127.0.0.1:\(replica.port)")
    try wait("a refusal") { events.reasons.last?.contains("is a replica") == true }
    #expect(!other.isConnected)
  }

  @Test func `a password is needed, and used`() throws {
    let redis = try RedisServer(["--requirepass", "sesame"])
    let without = try link("redis://127.0.0.1:\(redis.port)")
    try wait("a refusal") { events.reasons.contains { $0.contains("NOAUTH") } }
    without.stop()
    let wrong = try link("redis://:open@127.0.0.1:\(redis.port)")
    try wait("a refusal") { events.reasons.contains { $0.contains("WRONGPASS") } }
    wrong.stop()
    let right = try link("redis://:sesame@127.0.0.1:\(redis.port)")
    try wait("the connection") { right.isConnected }
    #expect(!events.reasons.contains { $0.contains("open") || $0.contains("sesame") })
  }

  @Test func `an engine that refuses what is written is asked less and less often`() throws {
    let redis = try RedisServer(["--min-replicas-to-write", "1"])
    let link = try link("redis://127.0.0.1:\(redis.port)")
    link.onConnect = { [events, unowned link] in
      events.connections += 1
      link.ask("SET", "name", "zoë") { _ in }
    }
    let end = loop.preciseNow + .milliseconds(1_500)
    while loop.preciseNow < end { try loop.turn(wait: .milliseconds(20)) }
    #expect((2...20).contains(events.connections))
    #expect(events.reasons.contains { $0.contains("NOREPLICAS") })
  }

  @Test func `it connects again when it is told to`() throws {
    let redis = try RedisServer()
    let link = try link("redis://127.0.0.1:\(redis.port)")
    try wait("the connection") { link.isConnected }
    let connections = events.connections
    link.reconnect()
    #expect(!link.isConnected)
    try wait("the next connection") { events.connections > connections }
  }

  @Test func `Sentinels tell where the primary is`() throws {
    let primary = try RedisServer()
    let sentinel = try RedisServer.sentinel(of: primary.port)
    // Nobody listens at the first one. The second one is asked twice: where the primary is, and then
    // whether it stays there.
    let link = try link("redis+sentinel://127.0.0.1:1,127.0.0.1:\(sentinel.port)/main")
    try wait("the connection") { link.isConnected }
    #expect(try reply(of: link, to: "ROLE")?.elements?.first?.text == "master")
    #expect(link.downAfter == .seconds(30))
    let stranger = try self.link("redis+sentinel://127.0.0.1:\(sentinel.port)/other")
    try wait("a refusal") { events.reasons.last?.contains("knows no primary") == true }
    #expect(!stranger.isConnected)
  }
}
