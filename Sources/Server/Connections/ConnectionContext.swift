import Shared

/// What all connections of a server share.
final class ConnectionContext {
  let lobby: Lobby
  let decoder = CommandDecoder()
  let timers: any Timers
  let serverLog: ServerLog

  init(lobby: Lobby, timers: any Timers, serverLog: ServerLog) {
    self.lobby = lobby
    self.timers = timers
    self.serverLog = serverLog
  }
}
