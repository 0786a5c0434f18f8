import Shared

/// The connections to a socket of operators. Only this user and root can open that with all
/// commands; a group can open the one for reading.
final class AdminServer {
  /// The maximum number of connections.
  static let maxConnections = 8

  private let commands: AdminCommands
  private let access: AdminAccess
  private let timers: any Timers
  private var connections: [AdminConnection] = []

  init(_ commands: AdminCommands, access: AdminAccess = .everything, timers: any Timers) {
    self.commands = commands
    self.access = access
    self.timers = timers
  }

  func accept(_ connection: any Connection) {
    // The operator is answered also while the output of players waits for the engine of a cluster.
    connection.passesGate = true
    let admin = AdminConnection(
      connection, commands: commands, access: access, timers: timers
    ) { [weak self] in self?.remove($0) }
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
