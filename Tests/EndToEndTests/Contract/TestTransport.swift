import RIBs
import Shared
import TestSupport
import Testing

@testable import Client
@testable import Server

/// The transport between a server and its clients.
protocol TestTransport: AnyObject {
  var timers: any Timers { get }
  /// Starts to pass connections to the server.
  func serve(_ server: any Server.ServerControl) throws
  /// Connects a client.
  var connect: ServerLink.Connect { get }
  /// Delivers bytes and runs timers until the condition holds. Throws `TransportStalledError` if it
  /// never does.
  func run(until condition: () -> Bool) throws
}

struct TransportStalledError: Error {}

/// A transport in memory: real bytes, split at random.
final class MemoryTransport: TestTransport {
  let clock = ManualTimers()
  private let network: MemoryNetwork
  private weak var server: (any Server.ServerControl)?

  init(seed: UInt64) {
    network = MemoryNetwork(seed: seed)
  }

  var timers: any Timers { clock }

  func serve(_ server: any Server.ServerControl) {
    self.server = server
  }

  var connect: ServerLink.Connect {
    { [self] _, _, answer in
      let (near, far) = network.connect()
      answer(.success(near))
      server?.accept(far)
      return CompositeCancellable()
    }
  }

  func run(until condition: () -> Bool) throws {
    while !condition() {
      guard network.step() || clock.advance(by: .zero) else { throw TransportStalledError() }
    }
  }
}

/// Real TCP, with both ends in one loop.
final class TCPTransport: TestTransport {
  private let loop: EventLoop
  private var listener: TCPListener?

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  deinit {
    listener?.close()
  }

  var timers: any Timers { loop }

  func serve(_ server: any Server.ServerControl) throws {
    let address = try #require(
      try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true).first)
    listener = try TCPListener(loop: loop, address: address) { server.accept($0) }
  }

  var connect: ServerLink.Connect {
    { [self] _, _, answer in
      loop.connect(host: "127.0.0.1", port: listener?.address.port ?? 0, answer: answer)
    }
  }

  func run(until condition: () -> Bool) throws {
    let deadline = loop.now + .seconds(20)
    while !condition() {
      guard loop.now < deadline else { throw TransportStalledError() }
      try loop.turn(wait: deadline - loop.now)
    }
  }
}
