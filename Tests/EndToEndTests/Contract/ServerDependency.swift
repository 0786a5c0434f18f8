import Shared
import TestSupport

@testable import Server

/// What a server in a test needs.
final class ServerDependency: Server.RootDependency {
  let games: GameRegistry
  let random = RandomSource(SeededGenerator(seed: 3))
  let timers: any Timers
  let settings = ServerSettings()
  let serverLog = ServerLog(.silent)

  init(games: GameRegistry, timers: any Timers) {
    self.games = games
    self.timers = timers
  }
}
