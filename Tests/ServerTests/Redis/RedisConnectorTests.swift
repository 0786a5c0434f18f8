import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// How the hosts of an engine are connected to, over a network in memory.
@Suite(.enabled(if: TLSFixture.isAvailable, "no libssl here")) struct RedisConnectorTests {
  private final class World {
    var completions: [(Result<any Connection, ConnectError>) -> Void] = []
    var cancellations = 0
    var results: [Result<any Connection, RedisConnector.Failure>] = []
    var reason: String? {
      guard case .failure(let failure) = results.last else { return nil }
      return failure.reason
    }
  }

  private let world = World()
  private let timers = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let place = RedisAddress.Place(host: "localhost", port: 6380)

  private func connector(_ query: String) throws -> RedisConnector {
    let world = world
    return RedisConnector(
      try RedisAddress("rediss://db\(query)"), timers: timers,
      connect: { _, completion in
        world.completions.append(completion)
        return { world.cancellations += 1 }
      })
  }

  /// Begins an attempt whose connection over TCP is there, and returns its other end.
  private func begin(
    _ connector: RedisConnector
  ) throws -> (far: MemoryConnection, near: MemoryConnection, cancel: () -> Void) {
    let cancel = connector.connect(to: place) { [world] in world.results.append($0) }
    let (near, far) = network.connect()
    try #require(!world.completions.isEmpty)
    world.completions.removeFirst()(.success(near))
    return (far, near, cancel)
  }

  private let trusting = "?ca=\(TLSFixture.path(of: "authority"))"

  @Test func `bytes pass once the handshake is complete`() throws {
    let connector = try connector(trusting)
    let (far, _, _) = try begin(connector)
    let server = TLSServer(over: far, session: try TLSFixture.serverSession())
    network.run()
    let connection = try #require(try world.results.first?.get())
    #expect(connection is TLSConnection)
    connection.send(Array("PING".utf8).span)
    network.run()
    #expect(server.received == Array("PING".utf8))
  }

  @Test(arguments: [
    ("stranger", "host", "has an unknown issuer"), ("authority", "expired", "has expired"),
    ("authority", "common", "names no host"),
  ])
  func `a certificate that is not trusted is a reason with a way out`(
    file: String, certificate: String, reason: String
  ) throws {
    let connector = try connector("?ca=\(TLSFixture.path(of: file))")
    let (far, near, _) = try begin(connector)
    let server = TLSServer(over: far, session: try TLSFixture.serverSession(with: certificate))
    network.run()
    let end = "TLS: The certificate of localhost:6380 \(reason)"
    #expect(world.reason?.hasPrefix(end) == true, "\(world.reason ?? "")")
    #expect(near.isClosed)
    withExtendedLifetime(server) {}
  }

  @Test func `an engine without TLS, and one that does not answer`() throws {
    let connector = try connector(trusting)
    let plain = try begin(connector)
    plain.far.send(Array("-ERR unknown command".utf8).span)
    network.run()
    #expect(
      world.reason == "TLS: The engine at localhost:6380 does not use TLS. Name its port for TLS,"
        + " or begin its URL with redis instead of rediss; then nothing is encrypted.")
    let silent = try begin(connector)
    network.run()
    timers.advance(by: RedisLink.connectTimeout)
    #expect(
      world.reason == "TLS: The engine at localhost:6380 does not answer the TLS handshake."
        + " Does it use TLS on that port?")
    #expect(silent.near.isClosed)
    #expect(world.results.count == 2)
  }

  @Test func `an attempt can be cancelled before and in the handshake`() throws {
    let connector = try connector(trusting)
    let cancel = connector.connect(to: place) { [world] in world.results.append($0) }
    cancel()
    #expect(world.cancellations == 1)
    world.completions = []
    let (_, near, cancelHandshake) = try begin(connector)
    cancelHandshake()
    network.run()
    timers.advance(by: .seconds(60))
    #expect(near.isClosed)
    #expect(world.results.isEmpty)
  }

  @Test func `a host that does not answer is a reason, and a file that is gone too`() throws {
    let connector = try connector("?ca=/nonexistent/ca.pem")
    _ = connector.connect(to: place) { [world] in world.results.append($0) }
    world.completions.removeFirst()(.failure(.timedOut))
    #expect(world.reason?.hasPrefix("localhost:6380: connect: ") == true)
    let (_, near, _) = try begin(connector)
    #expect(
      world.reason == "TLS: /nonexistent/ca.pem, the file of ca in the URL of the engine, cannot be"
        + " used: No such file or directory.")
    #expect(near.isClosed)
  }

  @Test func `a certificate that was renewed is read again`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem")
    defer { try? FileManager.default.removeItem(at: file) }
    let connector = try connector("?ca=\(file.path)")
    for (authority, isTrusted) in [("stranger", false), ("authority", true)] {
      try Data(contentsOf: URL(fileURLWithPath: TLSFixture.path(of: authority)))
        .write(to: file, options: .atomic)
      let (far, _, _) = try begin(connector)
      let server = TLSServer(over: far, session: try TLSFixture.serverSession())
      network.run()
      #expect((world.reason == nil) == isTrusted)
      withExtendedLifetime(server) {}
    }
  }

  @Test(arguments: [
    ("?ca=/nonexistent/ca.pem", "/nonexistent/ca.pem, the file of ca in the URL"),
    ("?cert=\(#filePath)", "it has no certificate in PEM format"),
    (
      "?cert=\(TLSFixture.path(of: "host"))&key=\(TLSFixture.path(of: "stranger"))",
      "it has no key"
    ),
  ])
  func `a file that cannot be used is a mistake of the configuration`(
    query: String, words: String
  ) throws {
    let error = #expect(throws: StartError.self) {
      try RedisAddress("rediss://db\(query)").checkFiles()
    }
    #expect(error?.code == .configuration)
    #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
    try RedisAddress("rediss://db?cert=\(TLSFixture.path(of: "host"))").checkFiles()
  }
}
