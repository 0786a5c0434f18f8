import Shared
import TestSupport

@testable import Server

/// A lobby that records the pairs it finds, and begins no matches.
final class LobbyFixture {
  let clock = ManualTimers()
  let matches = MatchRegistry(maxMatches: nil)
  let serverLog = ServerLog(.silent)
  let lobby: Lobby
  let connections: ConnectionRegistry
  let addresses: AddressRegistry
  private(set) var pairs: [(x: String?, o: String?, game: String)] = []

  private static let settings = ServerSettings(
    limits: ConnectionLimits(), turn: nil, inviteWithin: nil)

  init(games: [Game] = [.ticTacToe, .other]) {
    lobby = Lobby(
      games: GameRegistry(games), matches: matches, directory: GuestDirectory(),
      settings: Self.settings, others: NoOtherServers(timers: clock),
      context: LobbyContext(
        random: RandomSource(SeededGenerator(seed: 1)), timers: clock, serverLog: serverLog))
    connections = ConnectionRegistry(
      lobby: lobby, timers: clock, settings: Self.settings, serverLog: serverLog)
    addresses = AddressRegistry(AddressLimits(), timers: clock, serverLog: serverLog)
    lobby.onPair = { [unowned self] players, game, _ in
      pairs.append((players.x?.name.text, players.o?.name.text, game.info.id))
      players.x?.place = .playing(MatchMock())
      players.o?.place = .playing(MatchMock())
    }
  }
}

/// A session over a connection that records what is sent.
final class SessionFixture {
  let connection = ConnectionMock()
  let client: ClientConnection
  let session: Session

  init(_ name: String, in fixture: LobbyFixture = LobbyFixture()) throws {
    let usage = ConnectionUsage(fixture.addresses.usage(of: .loopback))
    client = ClientConnection(
      connection,
      outlet: ClientOutlet(
        connection, id: 1, isLogged: true, usage: usage.address, timers: fixture.clock,
        serverLog: fixture.serverLog),
      usage: usage, rate: nil, limits: ConnectionLimits(), registry: fixture.connections,
      context: ConnectionContext(
        lobby: fixture.lobby, timers: fixture.clock, serverLog: fixture.serverLog))
    session = try fixture.lobby.login(
      as: try fixture.lobby.name(from: name), nil, outlet: client.outlet)
    client.outlet.session = session
    self.fixture = fixture
  }

  private let fixture: LobbyFixture

  func hear() throws -> [JSON] { try connection.takeLines().map { try JSON($0) } }
}

extension Game {
  static var ticTacToe: Game { Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init) }

  /// A second game: four in a row on a board of four by four.
  static var other: Game {
    let shape = BoardShape(rows: 4, columns: 4, inARow: 4) ?? .ticTacToe
    return Game(
      GameInfo(id: "four", name: "Four", shape: shape), makeBuilder: TicTacToeBuilder.init)
  }
}
