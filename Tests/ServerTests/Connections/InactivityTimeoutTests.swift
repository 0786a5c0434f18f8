import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct InactivityTimeoutTests {
  @Test func `a client that does not log in in time is disconnected, regardless of its input`()
    throws
  {
    let server = TestServer(limits: ConnectionLimits(loginWithin: .seconds(30)))
    let client = server.client()
    for _ in 0..<29 {
      server.clock.advance(by: .seconds(1))
      #expect(try client.askTypes("ping") == ["pong"])
    }
    server.clock.advance(by: .milliseconds(999))
    #expect(try client.askTypes("login bot") == ["badName"])
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    let lines = try client.hear()
    #expect(kinds(lines) == ["bye loginTimeout"])
    #expect(lines.first?["retry"] == 0)
    #expect(client.isClosedByServer)
    server.clock.advance(by: AddressRegistry.interval)
    #expect(server.clock.next == nil)
  }

  @Test func `a client that has logged in may send nothing forever`() throws {
    let server = TestServer(limits: ConnectionLimits(loginWithin: .seconds(30)))
    let client = server.client()
    server.clock.advance(by: .milliseconds(29_999))
    #expect(try client.askTypes("login") == ["didLogin"])
    server.clock.advance(by: .seconds(100_000))
    #expect(try client.askTypes("ping") == ["pong"])
    #expect(server.clock.next == nil)
  }

  @Test func `an idle client is disconnected, and a blank line counts as input`() throws {
    let server = TestServer(limits: ConnectionLimits(idle: .seconds(10)))
    let client = server.client(as: "ann")
    _ = client.takeLines()
    for line in ["ping", "", " \r", "{", "list"] {
      server.clock.advance(by: .milliseconds(9_999))
      client.say(line)
      #expect(!client.isClosedByServer)
    }
    _ = client.takeLines()
    server.clock.advance(by: .milliseconds(9_999))
    server.network.run()
    #expect(try client.hear() == [])
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    let lines = try client.hear()
    #expect(kinds(lines) == ["bye idle"])
    #expect(lines.first?["retry"] == 0)
    #expect(client.isClosedByServer)
    // The name is free again.
    #expect(try server.client().askTypes("login ann") == ["didLogin"])
  }

  @Test func `input does not reset the timer`() throws {
    let server = TestServer(limits: ConnectionLimits(loginWithin: .seconds(30), idle: .seconds(10)))
    let client = server.client(as: "ann")
    let deadline = server.clock.next
    for _ in 0..<9 {
      server.clock.advance(by: .seconds(1))
      client.say("ping")
      #expect(server.clock.next == deadline)
    }
    server.clock.advance(by: .seconds(1))
    #expect(server.clock.next == .seconds(19))
    #expect(!client.isClosedByServer)
  }

  @Test func `a player who is idle in a match is disconnected and counts as lost`() throws {
    let server = TestServer(limits: ConnectionLimits(idle: .seconds(10)))
    let (x, o) = server.match()
    server.clock.advance(by: .seconds(9))
    o.say("")
    server.clock.advance(by: .seconds(1))
    server.network.run()
    #expect(try x.hearTypes() == ["bye idle"])
    #expect(try o.hearTypes() == ["presenceDidChange"])
  }

  @Test func `a client with much unread output is slow, not idle`() throws {
    let server = TestServer(limits: ConnectionLimits(idle: .seconds(2)))
    let client = server.client()
    client.stopReading()
    for _ in 0..<100 { client.sendOnly("help") }
    server.network.run()
    server.clock.advance(by: ClientConnection.readTimeout)
    #expect(client.isReset)
  }

  @Test func `without limits no client is disconnected, and no timer runs`() throws {
    let server = TestServer()
    let client = LineClient(server.connect(), on: server.network)
    #expect(server.clock.next == nil)
    server.clock.advance(by: .seconds(1_000_000))
    let lines = try client.ask("ping")
    #expect(kinds(lines) == ["hello", "pong"])
    #expect(lines.first?["limits"] == ["line": 4_096, "resumeWithin": 60_000])
  }

  @Test func `the limits are announced in milliseconds`() throws {
    let server = TestServer(
      limits: ConnectionLimits(
        loginWithin: .milliseconds(1_500), idle: .seconds(60), perSecond: 5, burst: 9))
    let client = LineClient(server.connect(), on: server.network)
    server.network.run()
    #expect(
      try client.hear().first?["limits"]
        == [
          "line": 4_096, "resumeWithin": 60_000, "loginWithin": 1_500, "idle": 60_000,
          "perSecond": 5, "burst": 9,
        ])
  }
}
