import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct SpectatorCountTests {
  private let server = TestServer()

  private func advance(_ time: Duration) {
    server.clock.advance(by: time)
    server.network.run()
  }

  private func count(_ number: Int) -> JSON {
    ["type": "spectatorsDidChange", "match": .string(server.onlyMatch), "count": .number(number)]
  }

  private func watcher(_ name: String) -> LineClient {
    let client = server.client(as: name)
    client.say("watch \(server.onlyMatch)")
    return client
  }

  @Test func `players and spectators hear how many watch, a new one after its snapshot`() throws {
    let (x, o) = server.match()
    let lines = try server.client(as: "eve").ask("watch \(server.onlyMatch)")
    #expect(kinds(lines) == ["matchSnapshot", "spectatorsDidChange"])
    #expect(lines.last == count(1))
    for client in [x, o] { #expect(try client.hear() == [count(1)]) }
  }

  @Test func `the number comes at most once a second, and the last one always`() throws {
    let (x, o) = server.match()
    let eve = watcher("eve")
    let fay = watcher("fay")
    fay.say("leave")
    let gil = watcher("gil")
    #expect(try x.hear() == [count(1)])
    advance(.milliseconds(999))
    #expect(try x.hear() == [])
    advance(.milliseconds(1))
    #expect(try x.hear() == [count(2)])
    #expect(try o.hear() == [count(1), count(2)])
    #expect(try eve.hear() == [count(2)])
    #expect(try gil.hear().last == count(2))
    advance(.seconds(5))
    #expect(try x.hear() == [])
    #expect(server.clock.next == nil)
    eve.say("quit")
    #expect(try x.hear() == [count(1)])
  }

  @Test func `it has no number of its own among the match's events`() throws {
    let (x, _) = server.match()
    _ = watcher("eve")
    _ = x.takeLines()
    #expect(try x.ask("place 0 0").first?["seq"] == 2)
  }

  @Test func `a snapshot has the number, unless nobody watches`() throws {
    let (x, _) = server.match()
    #expect(try x.ask("sync").first?["spectators"] == nil)
    _ = watcher("eve")
    _ = x.takeLines()
    #expect(try x.ask("sync").first?["spectators"] == 1)
  }

  @Test func `a player who missed the last number gets it after resuming`() throws {
    let (x, o) = try server.players()
    o.cut()
    _ = try x.hear()
    _ = watcher("eve")
    #expect(
      kinds(try o.resume(after: 1))
        == ["didLogin", "presenceDidChange", "presenceDidChange", "spectatorsDidChange"])
  }

  @Test func `a player who resumes gets a number again that may never have arrived`() throws {
    let (_, o) = try server.players()
    _ = watcher("eve")
    o.cut()
    let lines = try o.resume(after: 1)
    #expect(lines.last == count(1))
    #expect(
      kinds(lines) == ["didLogin", "presenceDidChange", "presenceDidChange", "spectatorsDidChange"])
  }

  @Test func `a spectator who takes over its session gets the number again`() throws {
    _ = try server.players()
    let eve = try Player("eve", at: server)
    try eve.ask("watch \(server.onlyMatch)")
    let lines = try eve.resume(after: 1)
    #expect(kinds(lines) == ["didLogin", "matchSnapshot", "spectatorsDidChange"])
    #expect(lines.last == count(1))
  }

  @Test func `a player who resumes gets no number if nobody has ever watched`() throws {
    let (_, o) = try server.players()
    o.cut()
    #expect(
      kinds(try o.resume(after: 1)) == ["didLogin", "presenceDidChange", "presenceDidChange"])
  }

  @Test func `no timer is left after the match`() throws {
    let (x, o) = server.match()
    let eve = watcher("eve")
    x.say("leave")
    for client in [x, o, eve] { client.say("quit") }
    try server.expectNothingLeft()
  }
}
