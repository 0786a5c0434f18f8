import Shared
import TestSupport

@testable import Client
@testable import Server

/// Two players at two clients. Each has the proxy of a game whose rules run in a server's match.
final class RemoteGameFixture: GameFixture {
  private let transport: any TestTransport
  private let game: GameInfo
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  private let clients: [HeadlessClient]

  init(_ transport: any TestTransport, _ game: GameInfo) throws {
    self.transport = transport
    self.game = game
    let games = GameRegistry([Game(game, makeBuilder: TicTacToeBuilder.init)])
    (root, control, _) = Server.RootBuilder(
      dependency: ServerDependency(games: games, timers: transport.timers)
    ).build()
    control.launch()
    try transport.serve(control)
    clients = ["ann", "bob"].map {
      HeadlessClient($0, game, timers: transport.timers, connect: transport.connect)
    }
    for client in clients { try transport.run { client.isLoggedIn } }
    // The first player who waits is X.
    for client in clients {
      client.gameService.lobby.start(game, against: .anyone, level: nil)
      try settle()
    }
  }

  deinit {
    for client in clients { client.stop() }
  }

  /// The events of the match so far.
  var events: [Event] { clients[0].matchEvents }

  func parent(of mark: Mark) -> GameParent {
    let client = clients.first { $0.parent.setups.last?.seat == .one(mark) }
    return (client ?? clients[0]).parent
  }

  /// The server replies to each client in order, and writes each move to both at once. So when both
  /// have had a reply, one after the other, every event has arrived.
  func settle() throws {
    for client in clients + clients { try transport.run(until: client.ping()) }
  }

  func playNext() throws {
    for client in clients { client.gameService.lobby.start(game, against: .anyone, level: nil) }
    try settle()
  }
}

/// The dependencies of a server in a test.
final class ServerDependency: Server.RootDependency {
  let games: GameRegistry
  let random = RandomSource(SeededGenerator(seed: 3))
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let settings = ServerSettings()
  let serverLog = ServerLog(.silent)

  init(games: GameRegistry, timers: any Timers) {
    self.games = games
    self.timers = timers
  }
}
