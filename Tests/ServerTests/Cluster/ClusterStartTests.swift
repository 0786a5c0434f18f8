import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// The check of a real engine before a node starts.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterStartTests {
  private static let good = [
    "--appendonly", "yes", "--maxmemory-policy", "noeviction", "--repl-backlog-size", "256mb",
    "--client-output-buffer-limit", "replica 1gb 1gb 0", "--repl-diskless-sync-delay", "0",
    "--min-replicas-to-write", "1",
  ]

  /// Good without replicas.
  private static let alone = Array(good.dropLast()) + ["0"]

  private let loop: EventLoop
  private let told = Sentences()

  private final class Sentences {
    var all: [String] = []
  }

  init() throws { loop = try EventLoop() }

  private func check(
    _ url: String, replicas: Int = 0, within limit: Duration = .seconds(60)
  ) throws(StartError) -> [String] {
    let engine: RedisAddress
    do throws(UsageError) {
      engine = try RedisAddress(url)
    } catch {
      throw StartError(code: .usage, sentence: error.message)
    }
    let options = ClusterOptions(engine: engine, replicas: replicas, node: "a", advertise: "a")
    return try ClusterStart.check(
      options, on: loop, random: RandomSource(), within: limit, tell: { told.all.append($0) })
  }

  /// Returns the sentence of a start that fails.
  private func failure(
    _ url: String, replicas: Int = 0, within limit: Duration = .seconds(60)
  ) -> String {
    let error = #expect(throws: StartError.self) {
      try check(url, replicas: replicas, within: limit)
    }
    #expect(error?.code == .unavailable)
    return error?.sentence ?? ""
  }

  @Test func `a good engine with a replica`() throws {
    let primary = try RedisServer(Self.good)
    let replica = try RedisServer(["--replicaof", "127.0.0.1", "\(primary.port)"])
    let sentinel = try RedisServer.sentinel(of: primary.port)
    let note = "With only 1 replica, a failover stops play until the lost copy is back."
    #expect(try check("redis://127.0.0.1:\(primary.port)", replicas: 1) == [note])
    #expect(
      try check("redis+sentinel://127.0.0.1:\(sentinel.port)/main", replicas: 1) == [note])
    let hasty = try RedisServer.sentinel(
      of: primary.port, lines: ["sentinel down-after-milliseconds main 1000"])
    #expect(
      failure("redis+sentinel://127.0.0.1:\(hasty.port)/main", replicas: 1)
        == "The Sentinels have down-after-milliseconds 1000. Set it to 1500 or more.")
    #expect(
      failure("redis://127.0.0.1:\(replica.port)", within: .seconds(1))
        == "The engine at redis://127.0.0.1:\(replica.port) cannot be used: the engine is a"
        + " replica, not the primary."
        + " Check that it runs, and that its URL names the primary or the Sentinels.")
  }

  @Test func `an engine without replicas is accepted if none is wanted`() throws {
    let redis = try RedisServer(Self.alone)
    let note = "Without a replica, what the engine loses is lost."
    #expect(try check("redis://127.0.0.1:\(redis.port)") == [note])
    #expect(
      failure("redis://127.0.0.1:\(redis.port)", replicas: 1, within: .seconds(2))
        == "Each entry has to be confirmed by 1 replica, but the engine has only 0."
        + " Start more, or ask for fewer with --cluster-replicas.")
    #expect(told.all == ["Waiting for the engine at redis://127.0.0.1:\(redis.port)."])
  }

  @Test func `it waits for an engine that starts later`() throws {
    let redis = try RedisServer(Self.alone)
    redis.kill()
    loop.schedule(after: .milliseconds(300)) { try? redis.start() }
    #expect(try !check("redis://127.0.0.1:\(redis.port)").isEmpty)
  }

  @Test func `a setting with which something may be lost`() throws {
    let redis = try RedisServer()
    #expect(
      failure("redis://127.0.0.1:\(redis.port)")
        == "The engine has appendonly no. Set it to yes.")
  }

  @Test(arguments: ["", "ann:secret@", ":secret@"])
  func `a wrong password`(credentials: String) throws {
    let redis = try RedisServer(Self.good + ["--requirepass", "sesame"])
    let sentence = failure("redis://\(credentials)127.0.0.1:\(redis.port)")
    #expect(
      sentence.hasPrefix("The engine at redis://127.0.0.1:\(redis.port) refuses the log-in: "))
    #expect(
      sentence.hasSuffix(
        ". Check the user and the password of its URL, and the rights of that user."))
    #expect(!sentence.contains("secret"))
  }

  @Test func `a password that the engine does not have`() throws {
    let redis = try RedisServer(Self.alone)
    let sentence = failure("redis://:secret@127.0.0.1:\(redis.port)")
    #expect(sentence.contains(" refuses the log-in: ERR AUTH"))
  }

  @Test func `a database that there is not, and an engine that is no Sentinel`() throws {
    let redis = try RedisServer(Self.alone)
    let advice = "Check the database of its URL, and whether that names Sentinels."
    #expect(failure("redis://127.0.0.1:\(redis.port)/99").hasSuffix(" out of range. \(advice)"))
    #expect(failure("redis+sentinel://127.0.0.1:\(redis.port)/main").hasSuffix(advice))
  }

  @Test func `a user who may not run scripts`() throws {
    let redis = try RedisServer(
      Self.alone + ["--user", "ann", "on", ">sesame", "~*", "+@all", "-eval"])
    #expect(
      failure("redis://ann:sesame@127.0.0.1:\(redis.port)").hasSuffix(
        " Its user needs the rights that docs/cluster/users.acl has."))
  }

  @Test func `nobody listens`() {
    let sentence = failure("redis://:secret@127.0.0.1:1", within: .milliseconds(1_200))
    #expect(
      sentence == "The engine at redis://127.0.0.1:1 cannot be used: 127.0.0.1:1: connect:"
        + " Connection refused."
        + " Check that it runs, and that its URL names the primary or the Sentinels.")
    #expect(told.all == ["Waiting for the engine at redis://127.0.0.1:1."])
  }
}
