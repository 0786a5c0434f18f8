package import Shared

/// A faulty network between clients and a server on loopback. It relays connections to `port`, each
/// with the faults of its plan. All random choices come from one seed.
package final class FaultProxy {
  package private(set) var port: UInt16 = 0
  /// The bytes of the first connection, once it is over.
  package private(set) var passed: (down: [UInt8], up: [UInt8]) = ([], [])
  /// The numbers of the connections that were cut as planned.
  package private(set) var cuts: [Int] = []
  private let loop: EventLoop
  private let server: UInt16
  private let plan: (Int) -> FaultPlan
  private var random: SeededGenerator
  private var listener: TCPListener?
  private var count = 0
  private var relays: [Int: FaultRelay] = [:]

  /// `plan` returns the plan of a connection by its number, from 0.
  package init(
    loop: EventLoop, server: UInt16, seed: UInt64, plan: @escaping (Int) -> FaultPlan
  ) throws {
    self.loop = loop
    self.server = server
    self.plan = plan
    random = SeededGenerator(seed: seed)
    let ip = IPAddress([127, 0, 0, 1]) ?? .loopback
    let listener = try TCPListener(loop: loop, address: SocketAddress(ip, port: 0)) {
      [weak self] in self?.accept($0)
    }
    self.listener = listener
    port = listener.address.port
  }

  deinit { close() }

  package func close() {
    listener?.close()
    reset()
  }

  /// Resets all open connections.
  package func reset() {
    for relay in relays.values { relay.close(.reset) }
    relays = [:]
  }

  private func accept(_ connection: TCPConnection) {
    let number = count
    count += 1
    let relay = FaultRelay(
      connection, to: server, plan(number), loop: loop, seed: random.next())
    relays[number] = relay
    relay.onCut = { [weak self] in self?.cuts.append(number) }
    relay.onEnd = { [weak self, weak relay] in
      guard let self, let relay else { return }
      if number == 0 { passed = (relay.passed(.down), relay.passed(.up)) }
      relays[number] = nil
    }
  }
}

/// The faults that a `FaultProxy` gives one connection.
package struct FaultPlan: Sendable {
  package enum Direction: CaseIterable, Sendable {
    /// From the server to the client.
    case down
    case up
  }

  package struct Cut: Sendable {
    package enum Kind: CaseIterable, Sendable {
      case reset, end
      /// Nothing passes any more in either direction, and neither end learns of it.
      case silence
    }

    package let direction: Direction
    /// How many bytes pass before the cut.
    package let after: Int
    package let kind: Kind

    package init(_ direction: Direction, after: Int, _ kind: Kind) {
      self.direction = direction
      self.after = after
      self.kind = kind
    }
  }

  package var cut: Cut?
  /// Bytes pass in pieces of 1 byte to this many.
  package var largestPiece = 65_536
  /// How long bytes wait at most. Bytes that arrive meanwhile join them.
  package var longestDelay: Duration = .zero
  /// One piece in this many waits ten times as long; 0 is none.
  package var stallsOneIn = 0

  package init() {}
}
