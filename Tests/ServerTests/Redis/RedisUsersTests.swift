import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// An engine with the users that operators copy.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct RedisUsersTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func wait(until isDone: () -> Bool) throws {
    let end = loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(loop.preciseNow < end)
      try loop.turn(wait: .milliseconds(20))
    }
  }

  private func reply(of link: RedisLink, to words: [String]) throws -> RedisReply? {
    try wait { link.isConnected }
    var commands = RedisCommands()
    commands.add(words)
    var replies: [RedisReply]??
    link.send(commands, confirmed: .never) { replies = .some($0) }
    try wait { replies != nil }
    return replies.flatMap(\.self)?.first
  }

  @Test func `a node may join, and what scripts have written outlives a restart`() throws {
    let redis = try RedisServer.withUsers([
      // At once, because a busy disk delays other writes, and the process is killed.
      "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction",
    ])
    let engine = try RedisAddress(redis.nodeURL)
    let notes = try ClusterStart.check(
      ClusterOptions(engine: engine, replicas: 0, node: "a", advertise: "a"), on: loop,
      random: RandomSource(), within: .seconds(60), tell: { _ in })
    #expect(notes.count == 1)
    let link = RedisLink(engine, replicas: 0, loop: loop, random: RandomSource())
    link.start()
    let script = "redis.call('SET', 's:1', 'n') redis.call('SADD', 'lives', 'a 1') return 1"
    #expect(try reply(of: link, to: ["EVAL", script, "0"]) == .integer(1))
    redis.kill()
    try wait { !link.isConnected }
    try redis.start()
    // The engine says LOADING until it has read its file.
    var value: RedisReply?
    try wait {
      value = try? reply(of: link, to: ["GET", "s:1"])
      if case .error? = value { return false }
      return value != nil
    }
    #expect(value?.text == "n")
    #expect(try reply(of: link, to: ["SMEMBERS", "lives"])?.elements?.count == 1)
  }

  @Test(arguments: [
    ["FLUSHALL"], ["CONFIG", "SET", "appendonly", "no"], ["KEYS", "*"], ["GET", "other"],
    ["SHUTDOWN"], ["REPLICAOF", "NO", "ONE"], ["ACL", "LIST"], ["PUBLISH", "a", "b"],
    ["EVAL", "return redis.call('SET', 'other', '1')", "0"],
  ])
  func `a node may do nothing else`(words: [String]) throws {
    let redis = try RedisServer.withUsers()
    let link = RedisLink(
      try RedisAddress(redis.nodeURL), replicas: 0, loop: loop, random: RandomSource())
    link.start()
    let reply = try reply(of: link, to: words)
    guard case .error(let text) = reply else {
      Issue.record("\(words) was carried out: \(String(describing: reply))")
      return
    }
    // Versions of the engine say differently what a script may not do.
    let refusals = ["NOPERM", "ACL failure", "can't access"]
    #expect(refusals.contains { text.contains($0) }, "\(text)")
  }
}
