import Shared
import TestSupport

@testable import Client

/// A link over connections in memory, with a scripted server at the other end.
final class TestLink {
  let link: ServerLink
  let server: ScriptedServer
  let scope = Interactor()
  let clock = ManualTimers()
  private let near: MemoryConnection
  private let network: MemoryNetwork

  init(seed: UInt64 = 1) {
    network = MemoryNetwork(seed: seed)
    let (near, far) = network.connect()
    self.near = near
    server = ScriptedServer(far, on: network)
    link = ServerLink(timers: clock) { _, _, answer in
      answer(.success(near))
      return CompositeCancellable()
    }
    scope.activate()
  }

  /// Starts the link and connects it.
  func start() {
    link.start(scope)
    link.connect(to: .example)
  }

  /// Has the client read all these lines at once.
  func deliver(_ events: [Event]) {
    var bytes: [UInt8] = []
    for event in events { EventEncoder.append(event, to: &bytes) }
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
