import RIBs
import Shared
import TestSupport

@testable import Client

/// A link over connections in memory to a scripted server.
final class LinkFixture {
  let link: ServerLink
  let server: ScriptedServer
  let scope = Interactor()
  let clock = ManualTimers()
  var refusesConnections = false
  /// The system's reason for that.
  var refusal = "No route to host"
  /// The hosts that refuse connections.
  var closedHosts: Set<String> = []
  /// The hosts of all connect attempts so far.
  private(set) var hosts: [String] = []
  /// The number of connect attempts so far.
  var attemptCount: Int { hosts.count }
  private var near: MemoryConnection
  private let network: MemoryNetwork

  init(seed: UInt64 = 1) {
    network = MemoryNetwork(seed: seed)
    let (near, far) = network.connect()
    self.near = near
    server = ScriptedServer(far, on: network)
    var connect: ServerLink.Connect = { _, _, _ in CompositeCancellable() }
    link = ServerLink(timers: clock) { connect($0, $1, $2) }
    connect = { [weak self] host, _, answer in
      answer(self?.connect(to: host) ?? .failure(.lost))
      return CompositeCancellable()
    }
    scope.activate()
  }

  private func connect(to host: String) -> Result<any Connection, LinkError> {
    hosts.append(host)
    if refusesConnections || closedHosts.contains(host) { return .failure(.cannotConnect(refusal)) }
    if attemptCount > 1 {
      let (near, far) = network.connect()
      self.near = near
      server.accept(far)
    }
    return .success(near)
  }

  func start() {
    link.start(scope)
    link.connect(to: .example)
  }

  /// Delivers all events to the client in one read.
  func deliver(_ events: [Event], re: RequestID? = nil) {
    var bytes: [UInt8] = []
    for event in events { EventEncoder.append(event, re: re, to: &bytes) }
    deliver(bytes: bytes)
  }

  func deliver(bytes: [UInt8]) {
    near.delegate?.connection(near, didReceive: bytes.span)
  }

  var isClosedByClient: Bool { near.isClosed }
}

extension ServerAddress {
  static let example = ServerAddress(host: "example.org", port: 7_777)
}
