import RIBs
import Shared
import TestSupport

@testable import Server

extension ServerSettings {
  /// The standard settings without times for moves and invitations, so that a test can see that no
  /// timer is left.
  static let untimed = ServerSettings(turn: nil, inviteWithin: nil)
}

/// The whole server above the sockets, in memory, with a manual clock and a seeded random source.
final class TestServer {
  let clock: ManualTimers
  let network: MemoryNetwork
  let root: any RootRouting
  let control: any ServerControl
  let commands: AdminCommands
  let serverLog: ServerLog
  /// Answers for the server's bots when the test says so.
  let botThinker: ManualBotThinker
  private let leakRecorder = LeakRecorder()

  init(
    games: [Game] = [Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)], seed: UInt64 = 1,
    settings: ServerSettings = .untimed, limits: ConnectionLimits = ConnectionLimits(),
    log: Log = .silent, clock: ManualTimers = ManualTimers(), store: (any MatchStore)? = nil,
    directory: any Directory = GuestDirectory(), moderation: Moderation = Moderation(),
    metrics: Metrics? = nil
  ) {
    self.clock = clock
    serverLog = ServerLog(log, metrics: metrics)
    var settings = settings
    settings.limits = limits
    network = MemoryNetwork(seed: seed)
    network.whenAtRest = { [clock] in clock.advance(by: .zero) }
    let dependency = TestDependency(
      games: GameRegistry(games), random: RandomSource(SeededGenerator(seed: seed)),
      timers: clock, settings: settings, serverLog: serverLog, store: store, directory: directory,
      moderation: moderation)
    botThinker = dependency.manualThinker
    let parts: ServerParts
    (root, control, parts) = RootBuilder(dependency: dependency).build()
    commands = AdminCommands(
      parts, group: NoServerGroup(), timers: dependency.timers,
      serverLog: dependency.serverLog)
    (root as? RootRouter)?.detectLeaks(with: leakRecorder.detector(clock))
    control.launch()
  }

  /// The types of leaked objects that the detector has found so far.
  var leaks: [String] { leakRecorder.leaks }

  /// The id of the only match.
  var onlyMatch: String {
    let match = root.children.first?.interactable as? any Match
    guard let match, root.children.count == 1 else {
      preconditionFailure("There is more than one match, or none.")
    }
    return match.id
  }

  /// Returns the client's end of a new connection, before its greeting.
  func connect(from address: String = "::1") -> MemoryConnection {
    let (near, far) = network.connect()
    if let ip = IPAddress(address) { far.peerAddress = SocketAddress(ip, port: 50_000) }
    control.accept(far)
    return near
  }

  /// Returns a client that has read its greeting.
  func client(from address: String = "::1") -> LineClient {
    let client = LineClient(connect(from: address), on: network)
    network.run()
    _ = client.takeLines()
    return client
  }

  /// Returns a client that is logged in.
  func client(as name: String) -> LineClient {
    let client = client()
    client.say("login \"\(name)\"")
    return client
  }

  /// Returns two clients in the first game of a match that have read everything. The first one is
  /// X.
  func match(_ x: String = "ann", _ o: String = "bob") -> (x: LineClient, o: LineClient) {
    let clients = (x: client(as: x), o: client(as: o))
    clients.x.say("start \"\(o)\"")
    clients.o.say("start \"\(x)\"")
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }

  /// Returns two clients between two games that have read everything. X has won the first game.
  func wonMatch() -> (x: LineClient, o: LineClient) {
    let clients = match()
    playFirstRow(clients.x, clients.o)
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }

  /// Plays a whole game, which X wins in the first row.
  func playFirstRow(_ x: LineClient, _ o: LineClient) {
    for column in 0...2 {
      x.sendOnly("place 0 \(column)")
      network.run()
      guard column < 2 else { return }
      o.sendOnly("place 1 \(column)")
      network.run()
    }
  }
}

private final class LeakRecorder {
  private(set) var leaks: [String] = []

  func detector(_ clock: ManualTimers) -> LeakDetector {
    LeakDetector(
      schedule: { clock.schedule(after: $0, $1).cancel },
      didLeak: { [weak self] in self?.leaks.append($0) })
  }
}

final class TestDependency: RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let manualThinker = ManualBotThinker()
  var botThinker: any BotThinker { manualThinker }
  let timers: any Timers
  let settings: ServerSettings
  let serverLog: ServerLog
  let store: (any MatchStore)?
  let directory: any Directory
  let moderation: Moderation

  init(
    games: GameRegistry, random: RandomSource, timers: any Timers,
    settings: ServerSettings = .untimed, serverLog: ServerLog = ServerLog(.silent),
    store: (any MatchStore)? = nil, directory: any Directory = GuestDirectory(),
    moderation: Moderation = Moderation()
  ) {
    self.moderation = moderation
    self.store = store
    self.directory = directory
    self.serverLog = serverLog
    self.games = games
    self.random = random
    self.timers = timers
    self.settings = settings
  }
}
