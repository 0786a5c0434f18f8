#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct ConnectorTests {
  @Test(arguments: PollerKind.allCases, ["127.0.0.1", "::1", "localhost"])
  func `it connects to a name or an address`(kind: PollerKind, name: String) throws {
    let fixture = try ListenerFixture(kind, on: name == "::1" ? "::1" : "127.0.0.1")
    let outcome = Outcome()
    _ = Connector(
      loop: fixture.loop, host: name, port: fixture.listener.address.port,
      completion: outcome.record)
    #expect(outcome.results.isEmpty)
    try fixture.loop.turn { !outcome.results.isEmpty && !fixture.accepted.isEmpty }
    let connection = try #require(try outcome.results.first?.get())
    #expect(connection.peerAddress == fixture.listener.address)
    let recorder = ConnectionRecorder()
    fixture.accepted[0].delegate = recorder
    connection.send("hello")
    try fixture.loop.turn { recorder.text == "hello" }
    #expect(outcome.results.count == 1)
  }

  @Test(arguments: PollerKind.allCases)
  func `a port without a listener refuses the connection`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    fixture.listener.close()
    let outcome = Outcome()
    _ = Connector(
      loop: fixture.loop, host: "127.0.0.1", port: fixture.listener.address.port,
      completion: outcome.record)
    try fixture.loop.turn { !outcome.results.isEmpty }
    let error = ConnectError.failed(SystemError(call: "connect", code: ECONNREFUSED))
    #expect(outcome.error == error)
    #expect(error.description == "connect: Connection refused")
  }

  @Test(arguments: PollerKind.allCases)
  func `a host that has no address is unknown`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let outcome = Outcome()
    // Not a valid name (RFC 1035), so that no name server is asked.
    let name = "no host has spaces"
    _ = Connector(loop: loop, host: name, port: 1, completion: outcome.record)
    try loop.turn { !outcome.results.isEmpty }
    guard case .unknownHost(let error) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(error.host == name)
    #expect(error.description.hasPrefix("no host has spaces: "))
  }

  @Test(arguments: PollerKind.allCases)
  func `an address that does not reply times out`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let dead = try DeadListener()
    defer { dead.close() }
    let outcome = Outcome()
    _ = Connector(
      loop: loop, host: "127.0.0.1", port: dead.address.port, limit: .milliseconds(30),
      completion: outcome.record)
    try loop.turn { !outcome.results.isEmpty }
    #expect(outcome.error == .timedOut)
  }

  @Test(arguments: PollerKind.allCases)
  func `a dead address delays the next one by 250 milliseconds`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind, on: "127.0.0.2", isStopped: true)
    let dead = try DeadListener()
    defer { dead.close() }
    let outcome = Outcome()
    let start = fixture.loop.now
    _ = Connector(
      loop: fixture.loop, addresses: [dead.address, fixture.listener.address],
      completion: outcome.record)
    try fixture.loop.turnAFewTimes()
    fixture.pass(.milliseconds(249))
    try fixture.loop.turnAFewTimes()
    #expect(outcome.results.isEmpty)
    fixture.pass(.milliseconds(1))
    try fixture.loop.turn { !outcome.results.isEmpty }
    #expect(try outcome.results.first?.get().peerAddress == fixture.listener.address)
    #expect(fixture.loop.now - start == Connector.attemptDelay)
  }

  @Test(arguments: PollerKind.allCases)
  func `an address that refuses does not delay the next one`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind, on: "127.0.0.2", isStopped: true)
    let closed = try ListenerFixture(kind)
    closed.listener.close()
    let outcome = Outcome()
    _ = Connector(
      loop: fixture.loop, addresses: [closed.listener.address, fixture.listener.address],
      completion: outcome.record)
    try fixture.loop.turn { !outcome.results.isEmpty }
    #expect(try outcome.results.first?.get().peerAddress == fixture.listener.address)
  }

  @Test(arguments: PollerKind.allCases)
  func `the first connection wins, and the other attempts are closed`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind, on: "127.0.0.3", isStopped: true)
    let dead = try [DeadListener(), DeadListener("127.0.0.2")]
    defer { for listener in dead { listener.close() } }
    let outcome = Outcome()
    weak var connector: Connector?
    do {
      let held = Connector(
        loop: fixture.loop, addresses: dead.map(\.address) + [fixture.listener.address],
        completion: outcome.record)
      connector = held
    }
    for _ in 0..<2 {
      try fixture.loop.turnAFewTimes()
      fixture.pass(Connector.attemptDelay)
    }
    try fixture.loop.turn { !outcome.results.isEmpty }
    #expect(connector == nil)
    fixture.pass(.seconds(60))
    try fixture.loop.turnAFewTimes()
    #expect(outcome.results.count == 1)
    #expect(try outcome.results.first?.get().peerAddress == fixture.listener.address)
  }

  @Test(arguments: PollerKind.allCases)
  func `the error names each reason once, in the order of the failures`(kind: PollerKind) throws {
    let closed = try ListenerFixture(kind, isStopped: true)
    closed.listener.close()
    let dead = try DeadListener()
    defer { dead.close() }
    let outcome = Outcome()
    let refusing = closed.listener.address
    _ = Connector(
      loop: closed.loop, addresses: [dead.address, refusing, refusing], completion: outcome.record)
    try closed.loop.turnAFewTimes()
    closed.pass(.seconds(5))
    try closed.loop.turn { !outcome.results.isEmpty }
    let refused = ConnectError.failed(SystemError(call: "connect", code: ECONNREFUSED))
    guard case .several(let errors) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(errors.count == 2 && errors.contains(refused) && errors.contains(.timedOut))
    #expect(ConnectError([.timedOut, refused, .timedOut]) == .several([.timedOut, refused]))
    #expect(ConnectError([refused, refused]) == refused)
    #expect(
      ConnectError([.timedOut, refused]).description
        == "connect: Connection timed out, connect: Connection refused")
  }

  @Test(arguments: PollerKind.allCases)
  func `a race that is cancelled, or whose loop ends, closes its sockets`(kind: PollerKind) throws {
    let dead = try [DeadListener(), DeadListener("127.0.0.2")]
    defer { for listener in dead { listener.close() } }
    let outcome = Outcome()
    for cancels in [true, false] {
      let fixture = try ListenerFixture(kind, isStopped: true)
      let connector = Connector(
        loop: fixture.loop, addresses: dead.map(\.address), completion: outcome.record)
      try fixture.loop.turnAFewTimes()
      fixture.pass(Connector.attemptDelay)
      try fixture.loop.turnAFewTimes()
      if cancels { connector.cancel() }
      fixture.pass(.seconds(60))
      if cancels { try fixture.loop.turnAFewTimes() }
    }
    #expect(outcome.results.isEmpty)
  }

  @Test func `the families take turns, beginning with the preferred one`() {
    let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "192.0.2.2"]
      .compactMap { IPAddress($0).map { SocketAddress($0, port: 7) } }
    #expect(
      addresses.withFamiliesInTurn.map(\.ip.description)
        == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "2001:db8::3"])
    #expect(
      Array(addresses.reversed()).withFamiliesInTurn.map(\.ip.description)
        == ["192.0.2.2", "2001:db8::3", "192.0.2.1", "2001:db8::2", "2001:db8::1"])
    #expect([SocketAddress]().withFamiliesInTurn.isEmpty)
  }

  @Test(arguments: PollerKind.allCases, [0, 1, 2, 3])
  func `the completion is not called after cancel, whatever the state was`(
    kind: PollerKind, turns: Int
  ) throws {
    let fixture = try ListenerFixture(kind)
    let outcome = Outcome()
    let connector = Connector(
      loop: fixture.loop, host: "127.0.0.1", port: fixture.listener.address.port,
      completion: outcome.record)
    for _ in 0..<turns where outcome.results.isEmpty {
      try fixture.loop.turn(wait: .milliseconds(20))
    }
    let before = outcome.results.count
    connector.cancel()
    connector.cancel()
    try fixture.loop.turnAFewTimes()
    #expect(outcome.results.count == before)
  }

  @Test(arguments: PollerKind.allCases)
  func `a connector is freed when it is done`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let outcome = Outcome()
    weak var connector: Connector?
    do {
      let held = Connector(
        loop: fixture.loop, host: "127.0.0.1", port: fixture.listener.address.port,
        completion: outcome.record)
      connector = held
    }
    #expect(connector != nil)
    try fixture.loop.turn { !outcome.results.isEmpty }
    #expect(connector == nil)
  }
}

/// A listener with a full backlog, which does not answer new connections.
private struct DeadListener {
  let address: SocketAddress
  private let socket: Socket
  private let waiting: [Peer]

  init(_ host: String = "127.0.0.1") throws {
    socket = try Socket.open(family: AF_INET)
    try socket.bind(to: .loopback(host))
    try socket.listen(backlog: 0)
    let address = try socket.localAddress()
    self.address = address
    waiting = try (0..<4).map { _ in try Peer(to: address) }
  }

  func close() {
    for peer in waiting { peer.socket.close() }
    socket.close()
  }
}

private final class Outcome {
  var results: [Result<any Connection, ConnectError>] = []

  var error: ConnectError? {
    if case .failure(let error) = results.first { error } else { nil }
  }

  func record(_ result: Result<any Connection, ConnectError>) { results.append(result) }
}
