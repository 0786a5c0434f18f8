import Foundation
import Shared
import TestSupport

@testable import Server

/// A connection that keeps what is sent on it, and takes nothing off the queue unless told to.
final class ConnectionMock: Connection {
  weak var delegate: (any ConnectionDelegate)?
  var unsent = 0
  var isReading = true
  var peerAddress = SocketAddress(.loopback, port: 1)
  private(set) var flushCallCount = 0
  private(set) var closeCallCount = 0
  private(set) var resetCallCount = 0
  var onClose: (() -> Void)?
  private(set) var sent: [UInt8] = []
  /// What `flush` gets rid of.
  var takenByFlush = 0

  /// The lines sent so far, which are then forgotten.
  func takeLines() -> [String] {
    defer { sent = [] }
    return String(decoding: sent, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func receive(_ text: String) {
    delegate?.connection(self, didReceive: Array(text.utf8).span)
  }

  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int {
    guard closeCallCount + resetCallCount == 0 else { return unsent }
    bytes.withUnsafeBufferPointer { sent.append(contentsOf: $0) }
    return unsent
  }

  func flush() {
    flushCallCount += 1
    unsent -= min(takenByFlush, unsent)
  }

  func close() { closeCallCount += 1 }

  func reset() { resetCallCount += 1 }
}

/// Somebody who is logged in, over a connection that keeps what is sent.
final class Somebody {
  let connection = ConnectionMock()
  let client: ClientConnection
  let session: Session

  init(_ name: String, in fixture: LobbyFixture = LobbyFixture()) throws {
    client = ClientConnection(
      connection, id: 1, isLogged: true,
      account: ConnectionAccount(fixture.addresses.usage(of: .loopback)), rate: nil,
      limits: ConnectionLimits(), registry: fixture.connections, lobby: fixture.lobby,
      decoder: CommandDecoder(), timers: fixture.clock, serverLog: fixture.serverLog)
    session = try fixture.lobby.login(name: name, connection: client)
    client.session = session
    self.fixture = fixture
  }

  private let fixture: LobbyFixture

  func hear() throws -> [JSON] { try connection.takeLines().map { try JSON($0) } }
}

/// A lobby that records the pairs it finds, and begins no matches.
final class LobbyFixture {
  let clock = ManualTimers()
  let matches = MatchRegistry(maxMatches: nil)
  let serverLog = ServerLog(.silent)
  let lobby: Lobby
  let connections: ConnectionRegistry
  let addresses: AddressRegistry
  private(set) var pairs: [(x: String?, o: String?, game: String)] = []

  init(games: [Game] = [.ticTacToe, .other]) {
    lobby = Lobby(
      games: GameRegistry(games), matches: matches, random: RandomSource(SeededGenerator(seed: 1)),
      timers: clock, chatRate: nil, serverLog: serverLog)
    connections = ConnectionRegistry(
      lobby: lobby, timers: clock, settings: ServerSettings(), serverLog: serverLog)
    addresses = AddressRegistry(AddressLimits(), timers: clock, serverLog: serverLog)
    lobby.onPair = { [unowned self] players, game in
      pairs.append((players.x?.name.text, players.o?.name.text, game.info.id))
      players.x?.place = .playing(MatchMock())
      players.o?.place = .playing(MatchMock())
    }
  }
}

extension Game {
  static var ticTacToe: Game { Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init) }

  /// A second plugin, four in a row on four by four.
  static var other: Game {
    let shape = BoardShape(rows: 4, columns: 4, inARow: 4) ?? .ticTacToe
    return Game(
      GameInfo(id: "four", name: "Four", shape: shape), makeBuilder: TicTacToeBuilder.init)
  }
}

final class MatchMock: Match {
  let id: String
  let game = "mock"
  var position = 0
  let hasRoom = true
  private(set) var leaveCallCount = 0
  private(set) var lostCallCount = 0
  var onLeave: () -> Void = {}

  init(_ id: String = "m") { self.id = id }

  var summary: MatchSummary {
    MatchSummary(
      match: id, game: "tictactoe", players: PerMark(x: "ann", o: "bob"), isRunning: true)
  }

  func start(by session: Session, opponent: String?, game: String?) {}
  func cancel(by session: Session) {}
  func place(at cell: Cell, seq: Int?, by session: Session) {}
  func resign(by session: Session) {}
  func leave(by session: Session) {
    leaveCallCount += 1
    onLeave()
  }

  func watch(by session: Session) {}
  func stopWatching(by session: Session) {}
  func say(_ text: String, by session: Session) {}
  func sync(after seq: Int?, to session: Session) {}
  func connectionDidEnd(of session: Session) { lostCallCount += 1 }
  func checkReturn(of session: Session) {}
  func connectionDidReturn(of session: Session) {}
  func repeatRequests(to session: Session) {}
}

/// A double of a router: not a `Router`.
class RoutingMock: Routing {
  let interactable: any Interactable = Interactor()
  let lifecycle: Shared.Stream<RouterLifecycle> = EventSource().stream
  private(set) var children: [any Routing] = []
  private(set) var loadCallCount = 0

  func load() { loadCallCount += 1 }
  func attachChild(_ child: any Routing) { children.append(child) }
  func detachChild(_ child: any Routing) { children.removeAll { $0 === child } }
}

final class GameRoutingMock: RoutingMock, GameRouting {
  let viewControllable: any ViewControllable = RecordingGameView()
  var board = Board(.ticTacToe)
  private(set) var ends: [(reason: Outcome.Reason, mark: Mark)] = []
  var onEnd: (Outcome.Reason, Mark) -> Void = { _, _ in }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    ends.append((reason, mark))
    onEnd(reason, mark)
  }
}

final class GameBuildableMock: GameBuildable {
  private(set) var setups: [GameSetup] = []
  private(set) weak var listener: (any GameListener)?
  var onBuild: () -> any GameRouting = { GameRoutingMock() }

  func build(withListener listener: any GameListener, setup: GameSetup) -> any GameRouting {
    setups.append(setup)
    self.listener = listener
    return onBuild()
  }
}

final class LoggedInListenerMock: LoggedInListener {
  private(set) var ended: [String] = []
  private(set) var lost: [Session] = []
  private(set) var games: [String] = []
  var onEnd: () -> Void = {}

  func gameDidBegin(in match: String) { games.append("began") }
  func gameDidEnd(in match: String) { games.append("ended") }

  func matchDidEnd(_ match: String, without lost: [Session]) {
    self.lost = lost
    ended.append(match)
    onEnd()
  }
}

final class LoggedInRoutingMock: RoutingMock, LoggedInRouting {
  weak var interactor: (any LoggedInInteractable)?
  private(set) var game: GameRoutingMock?
  private(set) var setups: [GameSetup] = []
  private(set) var cleanupViewsCallCount = 0
  private(set) var shutDownCallCount = 0
  var onAttachGame: (GameSetup) -> Void = { _ in }

  func attachGame(with setup: GameSetup) {
    setups.append(setup)
    let game = GameRoutingMock()
    self.game = game
    interactor?.gameWillAttach(game)
    onAttachGame(setup)
  }

  func cleanupViews() {
    cleanupViewsCallCount += 1
    game = nil
  }

  func shutDown() { shutDownCallCount += 1 }
}

final class LoggedInInteractableMock: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?
  let detail = "m"
  private(set) var shutDownCallCount = 0
  private(set) var outcomes: [Outcome] = []
  private(set) var games: [any GameRouting] = []

  func gameWillAttach(_ game: any GameRouting) { games.append(game) }
  func shutDown() { shutDownCallCount += 1 }
  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}

final class LoggedInBuildableMock: LoggedInBuildable {
  private(set) var setups: [String] = []
  private(set) var built: [LoggedInRoutingMock] = []
  private(set) weak var listener: (any LoggedInListener)?

  func build(
    withListener listener: any LoggedInListener, setup: MatchSetup
  ) -> any LoggedInRouting {
    setups.append(setup.id)
    self.listener = listener
    let router = LoggedInRoutingMock()
    built.append(router)
    return router
  }
}

final class RootInteractableMock: Interactor, RootInteractable {
  weak var router: (any RootRouting)?
  private(set) var ended: [String] = []

  func gameDidBegin(in match: String) {}
  func gameDidEnd(in match: String) {}
  func matchDidEnd(_ match: String, without lost: [Session]) { ended.append(match) }
}

final class RootRoutingMock: RoutingMock, RootRouting {
  private(set) var attached: [MatchSetup] = []
  private(set) var detached: [String] = []
  private(set) var shutDownMatchesCallCount = 0

  func attachMatch(with setup: MatchSetup) { attached.append(setup) }
  func detachMatch(_ match: String) { detached.append(match) }
  func shutDownMatches() { shutDownMatchesCallCount += 1 }
}
