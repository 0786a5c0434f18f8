import Shared

/// The connections of operators, who are this user and root: only they can open the socket.
final class AdminServer {
  /// The maximum number of connections.
  static let maxConnections = 8

  private let commands: AdminCommands
  private let timers: any Timers
  private var connections: [AdminConnection] = []

  init(_ commands: AdminCommands, timers: any Timers) {
    self.commands = commands
    self.timers = timers
  }

  func accept(_ connection: any Connection) {
    // The operator is answered also while the output of players waits for the engine of a cluster.
    connection.passesGate = true
    let admin = AdminConnection(connection, commands: commands, timers: timers) { [weak self] in
      self?.remove($0)
    }
    connections.append(admin)
    if connections.count > Self.maxConnections { admin.close(with: .full) }
  }

  private func remove(_ connection: AdminConnection) {
    connections.removeAll { $0 === connection }
  }

  /// Says goodbye to all operators.
  func close() {
    for connection in connections { connection.close(with: .shutdown) }
  }
}
