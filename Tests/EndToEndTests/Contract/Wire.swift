import Shared
import TestSupport
import Testing

@testable import Client
@testable import Server

/// What lies between a server and its clients.
protocol Wire: AnyObject {
  var timers: any Timers { get }
  /// Begins to bring connections to the server.
  func serve(_ server: any Server.ServerControl) throws
  /// Connects a client.
  var connect: ServerLink.Connect { get }
  /// Lets things happen until the condition holds.
  func run(until condition: () -> Bool) throws
}

struct NothingMoves: Error {}

/// A wire in memory: real bytes, split at random.
final class MemoryWire: Wire {
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
      guard network.step() || clock.advance(by: .zero) else { throw NothingMoves() }
    }
  }
}

/// Real TCP, with both ends in one loop.
final class TCPWire: Wire {
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
    for _ in 0..<1_000 {
      if condition() { return }
      try loop.turn(wait: .milliseconds(20))
    }
    throw NothingMoves()
  }
}
