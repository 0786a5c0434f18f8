import Shared

/// All connections of the server.
final class Clients {
  private let lobby: Lobby
  private let hello: Event
  private let timers: any Timers
  private let codec = LineCodec()
  private var connections = SlotList<ClientConnection>()

  init(lobby: Lobby, timers: any Timers, settings: ServerSettings) {
    self.lobby = lobby
    self.timers = timers
    hello = .hello(
      Hello(
        server: "tictactoe-server \(Version.current)",
        games: lobby.games.games.map { ListedGame($0.info) },
        limits: Limits(
          line: ClientConnection.longestLine, resumeWithin: settings.resumeWithin),
        help: "Type: login YOURNAME, then: start bot. All commands: help"))
  }

  /// Takes a new connection in and greets it.
  func accept(_ connection: any Connection) {
    let client = ClientConnection(
      connection: connection, clients: self, lobby: lobby, codec: codec, timers: timers)
    client.position = connections.append(client)
    client.write(hello)
  }

  func remove(_ client: ClientConnection) {
    guard connections[client.position] === client else { return }
    connections.remove(at: client.position) { $0.position = $1 }
  }

  /// Says goodbye to all before any session ends, so that nobody is told of the others' ends.
  func closeAll(with bye: Event) {
    let all = connections.elements
    for client in all { client.hangUp(with: bye) }
    for client in all { client.endSession() }
  }
}

extension ListedGame {
  init(_ info: GameInfo) {
    self.init(
      id: info.id, name: info.name, rows: info.shape.rows, columns: info.shape.columns,
      inARow: info.shape.inARow)
  }
}
