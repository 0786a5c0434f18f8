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
    // A listener with a full backlog does not answer new connections.
    let full = try Socket.open(family: AF_INET)
    try full.bind(to: .loopback())
    try full.listen(backlog: 0)
    let address = try full.localAddress()
    let waiting = try (0..<4).map { _ in try Peer(to: address) }
    let outcome = Outcome()
    _ = Connector(
      loop: loop, host: "127.0.0.1", port: address.port, limit: .milliseconds(30),
      completion: outcome.record)
    try loop.turn { !outcome.results.isEmpty }
    #expect(outcome.error == .timedOut)
    for peer in waiting { peer.socket.close() }
    full.close()
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

private final class Outcome {
  var results: [Result<any Connection, ConnectError>] = []

  var error: ConnectError? {
    if case .failure(let error) = results.first { error } else { nil }
  }

  func record(_ result: Result<any Connection, ConnectError>) { results.append(result) }
}
