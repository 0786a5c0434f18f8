import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RateTests {
  private let server = TestServer(limits: ConnectionLimits(perSecond: 10, burst: 4))

  @Test func `lines above the rate are refused with a time to try again`() throws {
    let client = server.client()
    for _ in 0..<4 { #expect(try client.askTypes("ping") == ["pong"]) }
    let refusal = try client.ask(#"{"type":"ping","id":7}"#)
    #expect(kinds(refusal) == ["tooFast"])
    #expect(refusal.first?["retry"] == 100)
    #expect(refusal.first?["re"] == 7)
    server.clock.advance(by: .milliseconds(99))
    #expect(try client.askTypes("ping") == ["tooFast"])
    server.clock.advance(by: .milliseconds(1))
    #expect(try client.askTypes("ping") == ["pong"])
    #expect(try client.askTypes("ping") == ["tooFast"])
  }

  @Test func `a refused line has changed nothing`() throws {
    let client = server.client()
    for _ in 0..<4 { client.say("ping") }
    #expect(try client.askTypes("login ann") == ["tooFast"])
    #expect(try client.askTypes("quit") == ["tooFast"])
    server.clock.advance(by: .seconds(1))
    #expect(try client.askTypes("list") == ["notLoggedIn"])
    #expect(try client.askTypes("login ann") == ["didLogin"])
  }

  @Test func `a burst of refused lines in a row is a flood`() throws {
    let client = server.client()
    for _ in 0..<7 { client.sendOnly("ping") }
    client.sendOnly(#"{"type":"ping","id":"last"}"#)
    client.sendOnly("ping")
    server.network.run()
    let lines = try client.hear()
    #expect(
      kinds(lines)
        == Array(repeating: "pong", count: 4) + Array(repeating: "tooFast", count: 3)
        + ["bye flood"])
    #expect(lines.last?["re"] == "last")
    #expect(lines.last?["retry"] == 400)
    #expect(client.isClosedByServer)
  }

  @Test func `a flood ends only its sender's connection`() throws {
    let (x, o) = server.match()
    for _ in 0..<8 { x.sendOnly("ping") }
    server.network.run()
    #expect(try x.hearTypes().last == "bye flood")
    #expect(try o.hearTypes() == ["presenceDidChange"])
    #expect(try o.askTypes("ping") == ["pong"])
  }

  @Test func `bad lines count in the rate, but get their own reply`() throws {
    let client = server.client()
    for _ in 0..<8 { client.sendOnly("{") }
    server.network.run()
    #expect(try client.hearTypes() == Array(repeating: "badJSON", count: 7) + ["bye flood"])
  }

  @Test func `a stall of the server makes no client too fast`() throws {
    let client = server.client()
    for _ in 0..<4 { #expect(try client.askTypes("ping") == ["pong"]) }
    server.clock.stall(for: .seconds(2)) {
      for _ in 0..<20 { client.sendOnly("ping") }
      server.network.run()
    }
    #expect(try client.hearTypes() == Array(repeating: "pong", count: 20))
    #expect(try client.askTypes("ping") == ["tooFast"])
    server.clock.advance(by: .milliseconds(100))
    #expect(try client.askTypes("ping") == ["pong"])
    #expect(try client.askTypes("ping") == ["tooFast"])
  }

  @Test func `blank lines do not count`() throws {
    let client = server.client()
    for _ in 0..<100 { client.sendOnly(" \r") }
    #expect(try client.askTypes("ping") == ["pong"])
  }

  @Test func `each connection has its own rate`() throws {
    let (first, second) = (server.client(), server.client())
    for _ in 0..<5 { first.say("ping") }
    #expect(try second.askTypes("ping") == ["pong"])
  }

  @Test(arguments: [
    ConnectionLimits(), ConnectionLimits(perSecond: 10), ConnectionLimits(burst: 4),
  ])
  func `without a rate or a burst there is no limit, and none is announced`(
    limits: ConnectionLimits
  ) throws {
    let server = TestServer(limits: limits)
    let client = LineClient(server.connect(), on: server.network)
    for _ in 0..<2_000 { client.sendOnly("ping") }
    server.network.run()
    let lines = try client.hear()
    #expect(kinds(lines) == ["hello"] + Array(repeating: "pong", count: 2_000))
    #expect(lines.first?["limits"] == ["line": 4_096, "resumeWithin": 60_000])
  }
}
