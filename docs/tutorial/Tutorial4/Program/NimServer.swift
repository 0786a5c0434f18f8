import RIBs
import Shared

/// The far end: a host for each connection, until it ends.
final class NimServer {
  private var hosts: [ObjectIdentifier: any HostRouting] = [:]
  private var listener: TCPListener?

  /// Listens on all IPv4 addresses. With port 0 the system chooses one.
  func listen(on loop: EventLoop, port: UInt16) throws -> UInt16 {
    let any = try SocketAddress.resolve(host: "0.0.0.0", port: port, passive: true)
    guard let address = any.first else { return port }
    let listener = try TCPListener(loop: loop, address: address) { [unowned self] connection in
      accept(connection)
    }
    self.listener = listener
    return listener.address.port
  }

  func accept(_ connection: any Connection) {
    let id = ObjectIdentifier(connection)
    let wire = TCPWire(connection) { [unowned self] in hosts[id] = nil }
    let host = HostBuilder(dependency: HostAppComponent(wire: wire)).build()
    hosts[id] = host
    host.launch()
  }

  var hostCount: Int { hosts.count }
}

final class HostAppComponent: EmptyComponent, HostDependency {
  let wire: any Wire

  init(wire: any Wire) {
    self.wire = wire
  }
}
