package import Shared

/// A bad network between clients and a server on the loopback: connections to `port` go on to the
/// server, each as its plan says, and all by chance from one seed.
package final class FaultProxy {
  package private(set) var port: UInt16 = 0
  /// What has passed on the first connection, once it is over.
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

  /// `plan` answers for each connection, which count from 0.
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

  /// Resets all connections that there are.
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
