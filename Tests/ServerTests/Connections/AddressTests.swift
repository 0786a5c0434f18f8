import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AddressTests {
  private func greeting(_ server: TestServer, from address: String) throws -> [String] {
    let client = LineClient(server.connect(from: address), on: server.network)
    server.network.run()
    return kinds(try client.hear())
  }

  private func server(_ limits: AddressLimits, matches: Int? = nil) -> TestServer {
    var settings = ServerSettings()
    settings.maxMatches = matches
    return TestServer(settings: settings, limits: ConnectionLimits(address: limits))
  }

  // MARK: Connections

  @Test func `a connection counts until its descriptor is closed`() throws {
    let server = server(AddressLimits(connections: 1))
    let slow = server.client()
    slow.stopReading()
    slow.say("quit")
    #expect(try greeting(server, from: "::1") == ["hello", "bye full"])
    slow.readOn()
    #expect(try greeting(server, from: "::1") == ["hello"])
  }

  @Test func `beyond a maximum rejected connections are reset`() throws {
    let server = server(AddressLimits(connections: 1))
    _ = server.client()
    var lingering: [LineClient] = []
    for _ in 0..<AddressLimits.maxRejected {
      let near = server.connect()
      near.isReading = false
      lingering.append(LineClient(near, on: server.network))
    }
    let reset = LineClient(server.connect(), on: server.network)
    server.network.run()
    #expect(reset.isReset)
    #expect(try reset.hear() == [])
    lingering[0].readOn()
    #expect(kinds(try lingering[0].hear()) == ["hello", "bye full"])
    #expect(try greeting(server, from: "::1") == ["hello", "bye full"])
  }

  @Test func `a /48 has four times as much as a /64`() throws {
    let server = server(AddressLimits(connections: 2))
    let clients = (0..<8).map { server.client(from: "2001:db8:1:\($0 / 2)::1") }
    #expect(try greeting(server, from: "2001:db8:1:9::1") == ["hello", "bye full"])
    #expect(try greeting(server, from: "2001:db8:2:9::1") == ["hello"])
    clients[0].say("quit")
    #expect(try greeting(server, from: "2001:db8:1:9::1") == ["hello"])
  }

  // MARK: Matches

  @Test func `lost players count as matches of their address until their match ends`() throws {
    let server = server(AddressLimits(connections: 100, matches: 2), matches: 10)
    for _ in 0..<2 {
      let client = server.client()
      client.say("login")
      #expect(try client.askTypes("start bot") == ["gameDidStart"])
      client.cut()
    }
    let third = server.client(as: "ann")
    let refusal = try third.ask("start bot")
    #expect(kinds(refusal) == ["full"])
    #expect(refusal.first?["retry"] == 5_000)
    #expect(try third.askTypes("start") == ["full"])
    let other = server.client(from: "9.9.9.9")
    other.say("login bob")
    #expect(try other.askTypes("start bot") == ["gameDidStart"])
    server.clock.advance(by: .seconds(60))
    #expect(try third.askTypes("start bot") == ["gameDidStart"])
    #expect(try third.askTypes("resign") == ["gameDidEnd"])
    #expect(try third.askTypes("start").first == "gameDidStart")
  }

  @Test func `a player who waits counts as a match`() throws {
    let server = server(AddressLimits(connections: 100, matches: 1))
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.askTypes("start bob") == ["didQueue"])
    #expect(try bob.hearTypes() == ["invited"])
    #expect(try bob.askTypes("start bot") == ["full"])
    #expect(try ann.askTypes("cancel") == ["didCancel"])
    _ = try bob.hear()
    #expect(try bob.askTypes("start") == ["didQueue"])
    #expect(try bob.askTypes("quit") == ["bye quit"])
    #expect(try ann.askTypes("start bot") == ["gameDidStart"])
  }

  @Test func `a match moves to the address from which its player resumes`() throws {
    let server = server(AddressLimits(connections: 100, matches: 1))
    let ann = server.client()
    let token = try #require(try ann.ask("login ann").first?["token"]?.text)
    ann.say("start bot")
    ann.cut()
    let again = server.client(from: "9.9.9.9")
    #expect(try again.askTypes("resume \(token)").first == "didLogin")
    #expect(try server.client(as: "bob").askTypes("start bot") == ["gameDidStart"])
    let cat = server.client(from: "9.9.9.9")
    cat.say("login cat")
    #expect(try cat.askTypes("start bot") == ["full"])
    again.say("quit")
    #expect(try cat.askTypes("start bot") == ["gameDidStart"])
  }

  // MARK: Rates

  @Test func `the lines of an address have a rate, and expensive ones count as several`() throws {
    let server = server(AddressLimits(connections: 100, linesPerSecond: 10))
    let (first, second) = (server.client(), server.client())
    // 40 at once: a login counts 5, a list 10.
    #expect(try first.askTypes("login ann") == ["didLogin"])
    for _ in 0..<3 { #expect(try first.askTypes("list") == ["players"]) }
    for _ in 0..<4 { #expect(try second.askTypes("ping") == ["pong"]) }
    let refusal = try first.ask(#"{"type":"list","id":1}"#)
    #expect(kinds(refusal) == ["tooFast"])
    #expect(refusal.first?["retry"] == 900)
    #expect(refusal.first?["re"] == 1)
    #expect(try second.askTypes("ping") == ["pong"])
    #expect(try second.askTypes("ping") == ["tooFast"])
    #expect(try server.client(from: "9.9.9.9").askTypes("ping") == ["pong"])
    server.clock.advance(by: .milliseconds(100))
    #expect(try second.askTypes("ping") == ["pong"])
  }

  @Test func `refusals because of other connections are not a flood`() throws {
    let server = TestServer(
      limits: ConnectionLimits(
        perSecond: 100, burst: 5, address: AddressLimits(connections: 9, linesPerSecond: 1)))
    let client = server.client()
    for _ in 0..<20 {
      client.say("ping")
      server.clock.advance(by: .milliseconds(10))
    }
    #expect(!client.isClosedByServer)
  }

  @Test func `the log-ins of an address have a rate`() throws {
    let server = server(AddressLimits(connections: 100, loginsPerSecond: 1))
    for _ in 0..<20 { #expect(try server.client().askTypes("login") == ["didLogin"]) }
    let late = server.client()
    let refusal = try late.ask("login")
    #expect(kinds(refusal) == ["tooFast"])
    #expect(refusal.first?["retry"] == 1_000)
    #expect(try late.askTypes("resume \(String(repeating: "x", count: 22))") == ["tooFast"])
    let other = server.client(from: "9.9.9.9")
    #expect(try other.askTypes("login") == ["didLogin"])
    server.clock.advance(by: .seconds(1))
    #expect(try late.askTypes("login") == ["didLogin"])
  }

  // MARK: Unread output

  @Test func `an address with too much unread output loses the clients that read least`() throws {
    let server = server(AddressLimits(connections: 100, unsentBytes: 40_000))
    let hoarders = (0..<3).map { _ in server.client() }
    let modest = server.client()
    let stranger = server.client(from: "9.9.9.9")
    for client in hoarders + [modest, stranger] { client.stopReading() }
    modest.sendOnly("ping")
    for _ in 0..<8 { stranger.sendOnly("help") }
    for client in hoarders {
      for _ in 0..<8 { client.sendOnly("help") }
      server.network.run()
    }
    // Each `help` leaves 2 to 3 kB; three times eight of them are more than there may be.
    #expect(hoarders.contains { $0.isReset })
    #expect(!modest.isReset)
    #expect(!stranger.isReset)
    modest.readOn()
    #expect(try modest.hearTypes() == ["pong"])
  }

  @Test func `output that was read or discarded no longer counts`() throws {
    let server = server(AddressLimits(connections: 100, unsentBytes: 40_000))
    for _ in 0..<10 {
      let client = server.client()
      client.stopReading()
      for _ in 0..<8 { client.sendOnly("help") }
      server.network.run()
      #expect(!client.isReset)
      client.readOn()
      _ = client.takeLines()
      client.stopReading()
      for _ in 0..<8 { client.sendOnly("help") }
      server.network.run()
      #expect(!client.isReset)
      client.cut()
    }
  }

  @Test func `the unread output of all clients together is limited`() throws {
    let server = TestServer(
      limits: ConnectionLimits(unsentBytes: 40_000, address: AddressLimits(connections: 100)))
    let clients = (1...3).map { server.client(from: "9.9.9.\($0)") }
    for client in clients {
      client.stopReading()
      for _ in 0..<8 { client.sendOnly("help") }
      server.network.run()
    }
    #expect(clients.contains { $0.isReset })
  }

  // MARK: Unused addresses

  @Test func `an unused address is dropped, and no timer runs on`() throws {
    let server = TestServer(limits: ConnectionLimits(address: .standard))
    let addresses = ["9.9.9.9", "2001:db8:1:1::1", "2001:db8:1:2::1"]
    let clients = addresses.map { server.client(from: $0) }
    for client in clients {
      client.say("login")
      client.say("start bot")
    }
    server.clock.advance(by: .seconds(100))
    #expect(server.clock.next == nil)
    for client in clients { client.cut() }
    server.clock.advance(by: .seconds(63))
    #expect(server.clock.next == nil)
    #expect(server.root.children.isEmpty)
  }

  @Test func `the usage of an address outlives its last connection`() throws {
    let server = server(AddressLimits(connections: 100, loginsPerSecond: 1))
    for _ in 0..<20 {
      let client = server.client(from: "2001:db8:1:1::1")
      #expect(try client.askTypes("login") == ["didLogin"])
      client.cut()
    }
    server.clock.advance(by: .milliseconds(100))
    let refused = server.client(from: "2001:db8:1:1::1")
    #expect(try refused.askTypes("login") == ["tooFast"])
  }
}

@Suite struct ProcessorShareTests {
  @Test func `within the burst no line waits`() {
    var share = ProcessorShare(percent: 25)
    share.charge(.milliseconds(10), at: .seconds(1))
    #expect(share.timeToWait(at: .seconds(1)) == nil)
    share.charge(.milliseconds(1), at: .seconds(1))
    #expect(share.timeToWait(at: .seconds(1)) == .milliseconds(4))
    #expect(share.timeToWait(at: .seconds(1) + .milliseconds(4)) == nil)
  }

  @Test func `in the long run lines get only their share`() {
    var share = ProcessorShare(percent: 25)
    var used = Duration.zero
    for step in 0..<10_000 where share.timeToWait(at: .milliseconds(step)) == nil {
      share.charge(.milliseconds(1), at: .milliseconds(step))
      used += .milliseconds(1)
    }
    #expect(used >= .milliseconds(2_500))
    #expect(used <= .milliseconds(2_520))
  }

  @Test func `an unused share grows no larger`() {
    var share = ProcessorShare(percent: 50)
    share.charge(.milliseconds(11), at: .seconds(1_000))
    #expect(share.timeToWait(at: .seconds(1_000)) == .milliseconds(2))
    #expect(share.isUnused(at: .seconds(1_000) + .milliseconds(22)))
    #expect(!share.isUnused(at: .seconds(1_000) + .milliseconds(21)))
  }
}
