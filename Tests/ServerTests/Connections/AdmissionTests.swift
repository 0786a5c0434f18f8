import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AdmissionTests {
  /// The lines that a client gets who connects from an address.
  private func greeting(_ server: TestServer, from address: String) throws -> [JSON] {
    let client = LineClient(server.connect(from: address), on: server.network)
    server.network.run()
    return try client.hear()
  }

  @Test func `a client beyond the limit gets hello and bye, and is accepted once there is room`()
    throws
  {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (first, second) = (server.client(as: "ann"), server.client(as: "bob"))
    let lines = try greeting(server, from: "9.9.9.9")
    #expect(kinds(lines) == ["hello", "bye full"])
    #expect(lines.last?["retry"] == 10_000)
    // Connected clients notice nothing.
    #expect(try first.hear() == [])
    #expect(try first.askTypes("ping") == ["pong"])
    second.say("quit")
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello"])
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello", "bye full"])
    first.cut()
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello"])
  }

  @Test func `a rejected connection is closed, and its input is ignored`() throws {
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
  func `one address has a limited number of connections`(
    first: String, second: String, isOneParty: Bool
  ) throws {
    let server = TestServer(limits: ConnectionLimits(address: AddressLimits(connections: 2)))
    let clients = [server.client(from: first), server.client(from: first)]
    #expect(
      kinds(try greeting(server, from: second)) == (isOneParty ? ["hello", "bye full"] : ["hello"]))
    clients[0].end()
    #expect(kinds(try greeting(server, from: second)) == ["hello"])
  }

  @Test func `the place of a lost player is kept for those who resume`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (ann, _) = try server.players()
    ann.cut()
    // The kept place lets a client in, but a login gets no session.
    let eve = server.client()
    #expect(kinds(try eve.ask("login eve")) == ["bye full"])
    #expect(eve.isClosedByServer)
    let guess = server.client()
    #expect(try guess.askTypes("resume AAAAAAAAAAAAAAAAAAAAAA") == ["unknownToken"])
    // A newcomer takes the place of one who has not resumed, and so does the player.
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello"])
    #expect(guess.isClosedByServer)
    #expect(kinds(try ann.resume()) == ["didLogin", "matchSnapshot"])
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello", "bye full"])
    // Whoever has resumed is a player as before.
    try ann.ask("leave")
    ann.cut()
    #expect(try server.client().askTypes("login eve") == ["didLogin"])
  }

  @Test func `strangers who hold all kept places give way to players who resume`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (ann, bob) = try server.players()
    ann.cut()
    bob.cut()
    let strangers = [server.client(), server.client()]
    #expect(kinds(try ann.resume()) == ["didLogin", "matchSnapshot"])
    #expect(strangers[0].isClosedByServer && !strangers[1].isClosedByServer)
    #expect(kinds(try bob.resume()) == ["didLogin", "matchSnapshot"])
    #expect(strangers[1].isClosedByServer)
    let lastLine = try strangers[1].hear().last.map { kinds([$0]) }
    #expect(lastLine == ["bye full"])
    // Players who are back do not give way.
    #expect(kinds(try greeting(server, from: "9.9.9.9")) == ["hello", "bye full"])
    #expect(try ann.askTypes("ping").last == "pong")
  }

  @Test func `the strangers of one address only take places from each other`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (ann, bob) = try server.players()
    ann.cut()
    bob.cut()
    let first = server.client(from: "9.9.9.9")
    let player = server.client(from: "1.2.3.4")
    let others = (0..<50).map { _ in server.client(from: "9.9.9.9") }
    #expect(first.isClosedByServer && !player.isClosedByServer)
    #expect(others.dropLast().map(\.isClosedByServer) == Array(repeating: true, count: 49))
    #expect(try player.askTypes("resume AAAAAAAAAAAAAAAAAAAAAA") == ["unknownToken"])
  }

  @Test func `a kept place is free again for others once its match has ended`() throws {
    let server = TestServer(limits: ConnectionLimits(connections: 2))
    let (ann, bob) = try server.players()
    ann.cut()
    try bob.ask("leave")
    #expect(try server.client().askTypes("login eve") == ["didLogin"])
  }

  @Test func `a client that does not resume leaves the kept place after 10 seconds`() throws {
    let server = TestServer(limits: ConnectionLimits(loginWithin: .seconds(30), connections: 2))
    let (ann, _) = try server.players()
    ann.cut()
    let eve = server.client()
    server.clock.advance(by: .milliseconds(9_999))
    #expect(!eve.isClosedByServer)
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    #expect(kinds(try eve.hear()) == ["bye full"])
  }

  @Test func `without limits every connection is accepted`() throws {
    let server = TestServer()
    for _ in 0..<500 { #expect(!server.client().isClosedByServer) }
  }
}
