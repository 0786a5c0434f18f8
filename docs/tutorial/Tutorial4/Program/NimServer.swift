import RIBs
import Shared

/// The far end: a host for each connection, or for every two of them, until one ends.
final class NimServer {
  private let isForPairs: Bool
  private var hosts: [ObjectIdentifier: any HostRouting] = [:]
  /// The table at which one player waits for another one.
  private var waiting: Table?
  private var listener: TCPListener?

  init(isForPairs: Bool = false) {
    self.isForPairs = isForPairs
  }

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
    if isForPairs { return seat(connection) }
    let id = ObjectIdentifier(connection)
    let wire = TCPWire(connection) { [unowned self] in hosts[id] = nil }
    let host = HostBuilder(dependency: HostAppComponent(wire: wire)).build()
    hosts[id] = host
    host.launch()
  }

  private func seat(_ connection: any Connection) {
    let table = waiting ?? makeTable()
    table.seat(connection)
    waiting = table.isFull ? nil : table
  }

  private func makeTable() -> Table {
    let table = Table { [unowned self] table in
      hosts[ObjectIdentifier(table)] = nil
      if waiting === table { waiting = nil }
    }
    let host = HostBuilder(dependency: HostAppComponent(wire: table)).build()
    hosts[ObjectIdentifier(table)] = host
    host.launch()
    return table
  }

  var hostCount: Int { hosts.count }
}

final class HostAppComponent: EmptyComponent, HostDependency {
  let wire: any Wire

  init(wire: any Wire) {
    self.wire = wire
  }
}
