import Shared
import TestSupport

@testable import Server

/// The whole server above the sockets, in memory, with its clock and chance in the test's hand.
final class TestServer {
  let clock = ManualTimers()
  let network: MemoryNetwork
  let root: any RootRouting
  let control: any ServerControl
  let serverLog: ServerLog
  private let leakRecorder = LeakRecorder()

  init(
    games: [Game] = [Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)], seed: UInt64 = 1,
    settings: ServerSettings = ServerSettings(), limits: ConnectionLimits = ConnectionLimits(),
    log: Log = .silent
  ) {
    serverLog = ServerLog(log)
    var settings = settings
    settings.limits = limits
    network = MemoryNetwork(seed: seed)
    network.whenAtRest = { [clock] in clock.advance(by: .zero) }
    let dependency = TestDependency(
      games: GameRegistry(games), random: RandomSource(SeededGenerator(seed: seed)),
      timers: clock, settings: settings, serverLog: serverLog)
    (root, control) = RootBuilder(dependency: dependency).build()
    (root as? RootRouter)?.detectLeaks(with: leakRecorder.detector(clock))
    control.launch()
  }

  /// The types of what outlived its RIB, as far as the clock has gone.
  var leaks: [String] { leakRecorder.leaks }

  /// The id of the one match that is on.
  var onlyMatch: String {
    let match = root.children.first?.interactable as? any Match
    guard let match, root.children.count == 1 else {
      preconditionFailure("There is more than one match, or none.")
    }
    return match.id
  }

  /// A client's end of a new connection, whose greeting is still to come.
  func connect(from address: String = "::1") -> MemoryConnection {
    let (near, far) = network.connect()
    if let ip = IPAddress(address) { far.peerAddress = SocketAddress(ip, port: 50_000) }
    control.accept(far)
    return near
  }

  /// A client whose greeting has been read.
  func client(from address: String = "::1") -> LineClient {
    let client = LineClient(connect(from: address), on: network)
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

  /// Two people in the first game of a match, all read; the first one is X.
  func match(_ x: String = "ann", _ o: String = "bob") -> (x: LineClient, o: LineClient) {
    let clients = (x: client(as: x), o: client(as: o))
    clients.x.say("start \"\(o)\"")
    clients.o.say("start \"\(x)\"")
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }

  /// Two people between the first game, which X has won, and the next, all read.
  func wonMatch() -> (x: LineClient, o: LineClient) {
    let clients = match()
    playFirstRow(clients.x, clients.o)
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }

  /// A whole game, which who has X wins in the first row.
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
  let timers: any Timers
  let settings: ServerSettings
  let serverLog: ServerLog

  init(
    games: GameRegistry, random: RandomSource, timers: any Timers,
    settings: ServerSettings = ServerSettings(), serverLog: ServerLog = ServerLog(.silent)
  ) {
    self.serverLog = serverLog
    self.games = games
    self.random = random
    self.timers = timers
    self.settings = settings
  }
}
