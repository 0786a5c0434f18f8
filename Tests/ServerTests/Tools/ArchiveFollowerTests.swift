import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// Followers take matches out of a real engine, with the rights of the user that operators copy.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ArchiveFollowerTests {
  private let redis: RedisServer
  private let reader: RedisReader
  /// Does what a follower has no right to.
  private let writer: RedisReader
  private let folder = TemporaryFolder()
  private let lines: [UInt8]
  private let match: String

  init() throws {
    redis = try RedisServer.withUsers()
    reader = try RedisReader(try RedisAddress(redis.nodeURL), within: .seconds(60))
    writer = try RedisReader(try RedisAddress(redis.adminURL), within: .seconds(60))
    (match, lines) = try FinishedStream.playedLines()
  }

  private func follower(in data: String? = nil) throws -> ArchiveFollower {
    try ArchiveFollower(reader, data: data ?? folder.path, log: .silent)
  }

  /// Ends a match as its node does, with a stream of its own.
  private func end(_ id: String, keep: Duration = .seconds(3_600)) throws {
    let text = String(decoding: lines, as: UTF8.self)
    let lines = Array(text.replacing("\"\(match)\"", with: "\"\(id)\"").utf8)
    try FinishedStream.append(to: writer, id, lines, ended: nil)
    _ = try writer.reply(to: "HSET", "owners", id, "a 1")
    #expect(
      try reader.reply(to: .endMatch, id, "a 1", String(keep.milliseconds)) == .integer(1))
  }

  private func entries(of id: String) throws -> Int? {
    try reader.reply(to: "XRANGE", RedisKey.stream(id), "-", "+").elements?.count
  }

  private func expiry(of id: String) throws -> Int? {
    try writer.reply(to: "PTTL", RedisKey.stream(id)).number
  }

  private var archive: Archive { get throws { try Archive(in: folder.path, with: try SQLite()) } }

  @Test func `a match is archived once, and then its stream goes within half a minute`() throws {
    let follower = try follower()
    try follower.turn()
    try end("a-1")
    #expect(try expiry(of: "a-1") == -1)
    _ = try writer.reply(to: "SET", RedisKey.results("a-1"), "9")
    try follower.turn()
    #expect(try archive.match("a-1")?.lines?.count ?? 0 > 1_000)
    #expect(try archive.number("SELECT count(*) FROM games") == 2)
    // What is left is the last entry, without records.
    #expect(try entries(of: "a-1") == 1)
    let left = try #require(try expiry(of: "a-1"))
    #expect((1...RedisScript.removedStreamTime.milliseconds).contains(left))
    #expect(try reader.reply(to: "ZRANGE", RedisKey.finished, "0", "9") == .array([]))
    #expect(try reader.reply(to: "GET", RedisKey.results("a-1")).text == RedisScript.archivedResult)
    // A failover has lost the removal.
    _ = try writer.reply(to: "DEL", RedisKey.stream("a-1"))
    try end("a-1")
    try follower.turn()
    #expect(try archive.number("SELECT count(*) FROM games") == 2)
    #expect(try entries(of: "a-1") == 1)
    #expect(follower.matchCount == 1)
  }

  @Test func `an owner that wakes up late does not begin a removed match again`() throws {
    let follower = try follower()
    try follower.turn()
    try end("a-1")
    _ = try writer.reply(to: "SET", RedisKey.results("a-1"), "9")
    try follower.turn()
    _ = try writer.reply(to: "DEL", RedisKey.stream("a-1"))
    _ = try writer.reply(to: "SADD", "lives", "a 1")
    let late = #expect(throws: StartError.self) {
      try reader.reply(to: .beginMatch, "a-1", "a 1", "1-1", "b {}\n", "")
    }
    #expect(late?.sentence.contains("The match is in the archive") == true)
    #expect(try entries(of: "a-1") == 0)
  }

  @Test func `matches that were left before the first follower came are taken too`() throws {
    try end("a-1")
    #expect(try expiry(of: "a-1") ?? 0 > 86_000_000)
    let follower = try follower()
    try follower.turn()
    #expect(try archive.contains("a-1"))
    #expect(try entries(of: "a-1") == 1)
  }

  @Test func `nothing is removed that has changed, goes on, or belongs to another follower`()
    throws
  {
    let follower = try follower()
    try follower.turn()
    try end("a-1")
    let count = try #require(try entries(of: "a-1"))
    let last = "1-\(count)"
    let id = try #require(
      try reader.reply(to: "GET", RedisKey.follower).text?.split(separator: " ").last)
    func remove(by id: String, last: String, _ count: Int) throws -> Int? {
      try reader.reply(to: .removeArchived, "a-1", id, last, String(count)).number
    }
    #expect(try remove(by: "another", last: last, count) == 0)
    #expect(try remove(by: String(id), last: "1-1", count) == -1)
    #expect(try remove(by: String(id), last: last, count - 1) == -1)
    _ = try writer.reply(to: "HSET", "owners", "a-1", "a 1")
    #expect(try remove(by: String(id), last: last, count) == -1)
    #expect(try entries(of: "a-1") == count)
    _ = try writer.reply(to: "HDEL", "owners", "a-1")
    #expect(try remove(by: String(id), last: last, count) == 1)
  }

  @Test func `a damaged match stays, and the others are taken`() throws {
    let follower = try follower()
    try follower.turn()
    try end("a-1")
    try end("a-2")
    _ = try writer.reply(to: "XDEL", RedisKey.stream("a-1"), "1-3")
    let count = try entries(of: "a-1")
    try follower.turn()
    #expect(try !archive.contains("a-1"))
    #expect(try entries(of: "a-1") == count)
    #expect(try expiry(of: "a-1") == -1)
    #expect(try archive.contains("a-2"))
  }

  @Test func `a second follower takes over when the first one is silent`() throws {
    let other = TemporaryFolder()
    let (first, second) = (try follower(), try follower(in: other.path))
    try first.turn()
    try end("a-1")
    try second.turn()
    #expect(second.matchCount == 0)
    // Its last word was too long ago.
    let word = try #require(try reader.reply(to: "GET", RedisKey.follower).text)
    let parts = word.split(separator: " ")
    let old = (Int(parts[0]) ?? 0) - ArchiveFollower.term.milliseconds
    _ = try writer.reply(to: "SET", RedisKey.follower, "\(old) \(parts[1])")
    try second.turn()
    #expect(second.matchCount == 1)
    try end("a-2")
    try first.turn()
    #expect(first.matchCount == 0)
    try second.turn()
    #expect(second.matchCount == 2)
  }

  @Test func `without a follower's word for too long, matches are kept for a day`() throws {
    let follower = try follower()
    try follower.turn()
    for number in 1...3 { try end("a-\(number)") }
    #expect(try reader.reply(to: .limitFinished, "3600000") == .integer(0))
    #expect(try expiry(of: "a-1") == -1)
    #expect(try reader.reply(to: .limitFinished, "0") == .integer(3))
    #expect(try expiry(of: "a-1") ?? 0 > 86_000_000)
    try end("a-4", keep: .zero)
    #expect(try expiry(of: "a-4") ?? 0 > 86_000_000)

  }

  @Test func `a follower goes on with an engine that comes back`() throws {
    let follower = try follower()
    try follower.turn()
    redis.kill()
    #expect(throws: StartError.self) { try follower.turn() }
    try redis.start()
    let limit = reader.loop.preciseNow + .seconds(60)
    while !reader.isConnected || !writer.isConnected {
      try #require(reader.loop.preciseNow < limit)
      try reader.loop.turn(wait: .milliseconds(5))
      try writer.loop.turn(wait: .milliseconds(5))
    }
    try follower.turn()
    try end("a-1")
    try follower.turn()
    #expect(follower.matchCount == 1)
  }

  @Test func `a match that the disk does not take stays in the engine`() throws {
    let follower = try follower()
    try follower.turn()
    try end("a-1")
    let count = try entries(of: "a-1")
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(Archive.fileName)")
    #expect(throws: (any Error).self) { try follower.turn() }
    #expect(try entries(of: "a-1") == count)
    #expect(try expiry(of: "a-1") == -1)
  }
}
