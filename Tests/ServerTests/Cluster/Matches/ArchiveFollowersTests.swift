import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// What a node makes of a follower's words in a real engine.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ArchiveFollowersTests {
  private let fixture: RedisFixture
  private let link: RedisLink

  init() throws {
    fixture = try RedisFixture()
    link = try fixture.link()
  }

  private func ask(_ words: String...) throws -> RedisReply? {
    var commands = RedisCommands()
    commands.add(words)
    return try fixture.answer { link.send(commands, confirmed: .never, answer: $0) }?.first
  }

  private var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }

  @Test func `without a follower nothing is asked, and nothing lags`() throws {
    let followers = ArchiveFollowers(engine: link, keep: .seconds(60))
    followers.take(nil)
    #expect(followers.lastWord == nil && followers.lag == .zero)
    #expect(link.pendingCount == 0)
  }

  @Test func `the oldest match that waits is the lag`() throws {
    let followers = ArchiveFollowers(engine: link, keep: .seconds(60))
    let word = now
    _ = try ask("ZADD", RedisKey.finished, "\(word - 30_000)", "a-1")
    _ = try ask("ZADD", RedisKey.finished, "\(word - 10_000)", "a-2")
    _ = try ask("SET", RedisKey.follower, "\(word) f")
    followers.take("\(word) f")
    try fixture.wait { followers.lag > .zero }
    #expect(followers.lag >= .seconds(29) && followers.lag < .seconds(90))
    let heard = try #require(followers.lastWord).timeIntervalSince1970 * 1_000
    #expect(abs(heard - Double(word)) < 1)
    // It waits on, because the word is new.
    #expect(try ask("ZRANGE", RedisKey.finished, "0", "9")?.elements?.count == 2)
    _ = try ask("DEL", RedisKey.finished)
    followers.take("\(word) f")
    try fixture.wait { followers.lag == .zero }
  }

  @Test func `after a word that is too old, matches get a day`() throws {
    let followers = ArchiveFollowers(engine: link, keep: .seconds(60))
    let word = now - 61_000
    _ = try ask("XADD", RedisKey.stream("a-1"), "1-1", "x", "1")
    _ = try ask("ZADD", RedisKey.finished, "\(word)", "a-1")
    _ = try ask("SET", RedisKey.follower, "\(word) f")
    followers.take("\(word) f")
    var left: RedisReply? = .array([.null])
    try fixture.wait {
      left = try? ask("ZRANGE", RedisKey.finished, "0", "9")
      return left == .array([])
    }
    let expires = try ask("PEXPIRETIME", RedisKey.stream("a-1"))?.number ?? 0
    #expect(abs(expires - now - 86_400_000) < 120_000)
  }
}
