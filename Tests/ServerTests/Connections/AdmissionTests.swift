import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AdmissionTests {
  /// What somebody is told who connects from an address.
  private func greeting(_ server: TestServer, from address: String) throws -> [JSON] {
    let client = LineClient(server.connect(from: address), on: server.network)
    server.network.run()
    return try client.hear()
  }

  @Test func `who is one too many is greeted, sent away, and welcome once there is room`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (first, second) = (server.client(as: "ann"), server.client(as: "bob"))
    let lines = try greeting(server, from: "9.9.9.9")
    #expect(kinds(lines) == ["hello", "bye full"])
    #expect(lines.last?["retry"] == 10_000)
    // Those who are there notice nothing.
    #expect(try first.hear() == [])
    #expect(try first.askTypes("ping") == ["pong"])
    second.say("quit")
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello"])
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello", "bye full"])
    first.cut()
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello"])
  }

  @Test func `who is turned away is closed, and what is sent meanwhile means nothing`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 1))
    let first = server.client()
    let second = server.client()
    #expect(second.isClosedByServer)
    #expect(second.say("login ann") == [])
    #expect(try first.askTypes("login ann") == ["didLogin"])
  }

  @Test(arguments: [
    ("1.2.3.4", "1.2.3.4", true), ("1.2.3.4", "1.2.3.5", false),
    ("::ffff:1.2.3.4", "1.2.3.4", true), ("2001:db8::1", "2001:db8::2:3:4:5", true),
    ("2001:db8::1", "2001:db8:0:1::1", false),
  ])
  func `one party has only so many connections`(
    first: String, second: String, isOneParty: Bool
  ) throws {
    let server = TestServer(limits: ConnectionLimits(address: AddressLimits(connections: 2)))
    let clients = [server.client(from: first), server.client(from: first)]
    #expect(
      kinds(try greeting(server, from: second)) == (isOneParty ? ["hello", "bye full"] : ["hello"]))
    clients[0].end()
    #expect(kinds(try greeting(server, from: second)) == ["hello"])
  }

  @Test func `without limits everybody is welcome`() throws {
    let server = TestServer()
    for _ in 0..<500 { #expect(!server.client().isClosedByServer) }
  }
}
