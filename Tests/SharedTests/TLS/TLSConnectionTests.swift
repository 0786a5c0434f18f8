import Foundation
import TestSupport
import Testing

@testable import Shared

/// What passes through a TLS connection, and how it ends.
@Suite(.enabled(if: TLSFixture.isAvailable, "no libssl here")) struct TLSConnectionTests {
  private func connect(
    seed: UInt64 = 1, _ version: TLSFixture.Version = .tls13, greeting: String = ""
  ) throws -> (TLSClientFixture, TLSServer, TLSConnection) {
    let client = try TLSClientFixture(seed: seed)
    let server = TLSServer(
      over: client.far, session: try TLSFixture.serverSession(with: "host", version))
    server.greeting = Array(greeting.utf8)
    client.network.run()
    return (client, server, try #require(client.connection))
  }

  /// A megabyte that no compression and no shift leaves as it is.
  private let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 251) }

  @Test(arguments: TLSFixture.Version.allCases, 1...10)
  func `bytes pass in both directions, however the network splits them`(
    version: TLSFixture.Version, seed: UInt64
  ) throws {
    let (client, server, connection) = try connect(seed: seed, version, greeting: "hello\n")
    #expect(client.received == Array("hello\n".utf8))
    var sent: [UInt8] = []
    for text in ["login ann\n", "", "start bot\n", String(repeating: "x", count: 40_000)] {
      let bytes = Array(text.utf8)
      sent += bytes
      connection.send(bytes.span)
    }
    server.send(large)
    client.network.run()
    #expect(server.received == sent)
    #expect(client.received.dropFirst(6).elementsEqual(large))
    #expect(client.ends.isEmpty)
  }

  @Test func `nothing readable is on the network`() throws {
    let (client, server, connection) = try connect()
    // From now on nobody reads the bytes of the client.
    client.far.delegate = nil
    connection.send(Array("login ann secret\n".utf8).span)
    client.network.run()
    let raw = client.far.takeReceived()
    #expect(raw.count > 17)
    #expect(!String(decoding: raw, as: UTF8.self).contains("ann"))
    withExtendedLifetime(server) {}
  }

  @Test func `a connection that is paused within a delivery gets the rest later`() throws {
    let (client, server, connection) = try connect()
    client.onReceive = { connection.isReading = false }
    server.send(Array(large.prefix(100_000)))
    client.network.run()
    var counts = [client.received.count]
    #expect((1...16_384).contains(counts[0]))
    while counts.count < 100, client.received.count < 100_000 {
      connection.isReading = true
      #expect(client.received.count == counts.last, "delivered within the setter")
      client.timers.advance(by: .zero)
      client.network.run()
      counts.append(client.received.count)
    }
    #expect(client.received == Array(large.prefix(100_000)))
    #expect(counts.count >= 7)
  }

  @Test func `the server's end of output is the end of the input, and output still leaves`() throws
  {
    let (client, server, connection) = try connect()
    server.send(Array("bye\n".utf8))
    server.end()
    client.network.run()
    #expect(client.received == Array("bye\n".utf8))
    #expect(client.ends == [.inputEnded])
    connection.send(Array("quit\n".utf8).span)
    client.network.run()
    server.connection.close()
    client.network.run()
    #expect(client.ends == [.inputEnded])
    #expect(server.received == Array("quit\n".utf8))
  }

  @Test func `a connection that ends without a word of TLS is over too`() throws {
    let (client, server, _) = try connect()
    server.send(Array("cut".utf8))
    server.connection.close()
    client.network.run()
    #expect(client.received == Array("cut".utf8))
    #expect(client.ends == [.inputEnded])
  }

  @Test func `a connection that breaks has failed`() throws {
    let (client, server, connection) = try connect()
    server.connection.reset()
    #expect(client.ends == [.failed(SystemError(call: "recv", code: 104))])
    connection.send(Array("late".utf8).span)
    connection.close()
    #expect(client.ends.count == 1)
  }

  @Test func `bytes that somebody has changed end the connection`() throws {
    let (client, server, _) = try connect()
    // A record of the right form that the server has not encrypted.
    server.connection.send(([0x17, 3, 3, 0, 32] + Array(repeating: 7, count: 32)).span)
    client.network.run()
    #expect(client.received.isEmpty)
    #expect(client.ends == [.failed(SystemError(call: "SSL_read", code: EPROTO))])
    #expect(client.near.isClosed)
    #expect(server.error != nil)
  }

  @Test func `close sends what is queued and says that it is the end`() throws {
    let (client, server, connection) = try connect()
    connection.send(Array("quit\n".utf8).span)
    connection.close()
    connection.close()
    connection.send(Array("more".utf8).span)
    client.network.run()
    #expect(server.received == Array("quit\n".utf8))
    #expect(server.hasEnded)
    #expect(client.ends.isEmpty)
  }

  @Test func `a connection is freed after it was closed`() throws {
    weak var freed: TLSConnection?
    do {
      let (client, server, connection) = try connect()
      freed = connection
      connection.close()
      client.network.run()
      withExtendedLifetime(server) {}
    }
    #expect(freed == nil)
  }
}
