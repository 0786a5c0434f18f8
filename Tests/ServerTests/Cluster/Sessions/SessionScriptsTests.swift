import TestSupport
import Testing

@testable import Server

/// The scripts of sessions, carried out by a real engine.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct SessionScriptsTests {
  private let fixture: ClusterDirectoryFixture

  init() throws { fixture = try ClusterDirectoryFixture() }

  private func run(_ script: RedisScript, _ arguments: [String]) throws -> Int? {
    var commands = RedisCommands()
    commands.add(script, arguments: arguments)
    let replies: [RedisReply]? = try fixture.answer {
      fixture.engine.send(commands, confirmed: .never, answer: $0)
    }
    return replies?.first?.number
  }

  @Test func `the end of a match ends a session that is still in it`() throws {
    _ = try fixture.reply(to: "SET", "n:ann", "s1")
    _ = try fixture.reply(to: "SET", "s:s1", "m m1")
    #expect(try run(.endSessionOfMatch, ["ann", "s1", "m1"]) == 1)
    #expect(try fixture.reply(to: "EXISTS", "n:ann", "s:s1")?.number == 0)
  }

  @Test func `it does not end a session that has gone on to another match`() throws {
    _ = try fixture.reply(to: "SET", "n:ann", "s1")
    _ = try fixture.reply(to: "SET", "s:s1", "m m2")
    #expect(try run(.endSessionOfMatch, ["ann", "s1", "m1"]) == 0)
    #expect(try fixture.reply(to: "EXISTS", "n:ann", "s:s1")?.number == 2)
  }
}
