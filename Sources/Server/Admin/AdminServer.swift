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

/// Where the operator's socket is.
enum AdminLocation: Equatable {
  /// In the data folder; nowhere if the server keeps nothing.
  case standard
  case nowhere
  case path(String)

  static let fileName = "admin.sock"

  /// Returns the path of the socket; `nil` if there is none.
  func path(inData folder: String?) -> String? {
    switch self {
    case .standard: folder.map { "\($0)/\(Self.fileName)" }
    case .nowhere: nil
    case .path(let path): path
    }
  }

  /// Returns the address of a path.
  ///
  /// - Throws: a sentence for people if it is too long.
  static func address(_ path: String) throws(StartError) -> LocalAddress {
    guard let address = LocalAddress(path) else {
      throw StartError(
        code: .cannotCreate,
        sentence: "The path of the admin socket, \(path), is too long: its last part may have up to"
          + " \(LocalAddress.maxNameLength) bytes."
          + " To name another one, or none, type: tictactoe-server --admin PATH")
    }
    return address
  }
}
