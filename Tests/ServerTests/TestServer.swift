import Shared
import TestSupport

@testable import Server

/// The whole server above the sockets, in memory, with its clock and chance in the test's hand.
final class TestServer {
  let clock = ManualTimers()
  let network: MemoryNetwork
  let root: any RootRouting

  init(games: [Game] = [Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)], seed: UInt64 = 1) {
    network = MemoryNetwork(seed: seed)
    let dependency = TestDependency(
      games: GameRegistry(games), random: RandomSource(SeededGenerator(seed: seed)),
      timers: clock)
    root = RootBuilder(dependency: dependency).build()
    root.launch()
  }

  /// A client whose greeting has been read.
  func client() -> LineClient {
    let (near, far) = network.connect()
    root.accept(far)
    let client = LineClient(near, on: network)
    network.run()
    _ = client.takeLines()
    return client
  }

  /// A client that is logged in.
  func client(as name: String) -> LineClient {
    let client = client()
    client.say("login \"\(name)\"")
    return client
  }
}

private final class TestDependency: RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let timers: any Timers

  init(games: GameRegistry, random: RandomSource, timers: any Timers) {
    self.games = games
    self.random = random
    self.timers = timers
  }
}
