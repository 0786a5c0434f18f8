import Shared

/// A connection from a trusted proxy whose header has not arrived yet. `ConnectionRegistry` holds
/// it until then. If the header is broken or late, the connection is closed without a line.
final class ProxyHandshake {
  /// How long the header may take. A proxy sends it at once.
  static let timeout: Duration = .seconds(5)

  /// Its index in the registry.
  var index = 0
  private weak var registry: ConnectionRegistry?
  private let connection: any Connection
  private var bytes: [UInt8] = []
  private var limit: LoopTimer?

  init(_ connection: any Connection, registry: ConnectionRegistry, timers: any Timers) {
    self.connection = connection
    self.registry = registry
    connection.delegate = self
    limit = timers.schedule(after: Self.timeout) { [weak self] in
      self?.close(because: "no PROXY header")
    }
  }

  func close(because reason: String) {
    let registry = registry
    end()
    registry?.close(connection, because: reason)
  }

  private func end() {
    limit?.cancel()
    registry?.remove(self)
  }
}

extension ProxyHandshake: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { self.bytes += $0 }
    switch ProxyHeader(self.bytes) {
    case .incomplete: break
    case .broken: close(because: "bad PROXY header")
    case .complete(let source, let length):
      end()
      if let source { connection.peerAddress = source }
      registry?.admit(connection)
      let rest = self.bytes[length...]
      guard !rest.isEmpty else { return }
      connection.delegate?.connection(connection, didReceive: rest.span)
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    close(because: end.reason)
  }
}
