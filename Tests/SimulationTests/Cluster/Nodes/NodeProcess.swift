import TestSupport

@testable import Server
@testable import Shared

/// The process of a node: the server's tree with its cluster, on a real loop in simulated time.
final class NodeProcess {
  let loop: EventLoop
  let cluster: Cluster
  let control: any ServerControl
  /// Called when the process ends by itself.
  var onExit: () -> Void = {}
  /// Called when it believes that another process has its name.
  var onReplaced: () -> Void = {}
  /// Whether clients can connect.
  private(set) var isListening = false
  /// When it wants to run next; `nil` if only for input.
  private(set) var nextTurn: Duration?
  private let poller: SimulatedPoller
  private let doorbell: Doorbell
  private let link: RedisLink
  private let root: any RootRouting
  private let time: SimulatedTime
  private var wires: [SimulatedWire] = []
  /// Those of clients. They and the loop hold each other.
  private var connections: [TCPConnection] = []

  /// `reach` takes a wire to a host of the engine, and returns false if it is refused; `nil` if there
  /// is no answer.
  init(
    _ name: String, address: String, time: SimulatedTime, log: Log,
    isCut: @escaping () -> Bool, reach: @escaping (SimulatedWire, String) -> Bool
  ) throws {
    self.time = time
    let poller = SimulatedPoller()
    self.poller = poller
    let loop = EventLoop(poller: poller, forgivesStalls: true) { time.now.wholeNanoseconds }
    self.loop = loop
    let doorbell = try Doorbell(on: loop)
    self.doorbell = doorbell
    let random = RandomSource(SeededGenerator(seed: time.random.seed()))
    var connect: RedisLink.Connect = { _, _ in {} }
    link = RedisLink(
      try RedisAddress(SimulatedRedis.address), replicas: 1, loop: loop, random: random
    ) { connect($0, $1) }
    let games = GameRegistry(
      [GameInfo.ticTacToe, .connect].map { Game($0, makeBuilder: TicTacToeBuilder.init) })
    let serverLog = ServerLog(log)
    cluster = Cluster(
      ClusterOptions(
        engine: try RedisAddress(SimulatedRedis.address), node: name, advertise: address),
      address: address, engine: link,
      context: ClusterContext(
        games: games, gate: loop.outputGate, timers: loop, random: random, serverLog: serverLog,
        passwords: PasswordQueue(PlainPasswords(), worker: NoWorker(), timers: loop),
        load: { serverLog.counters.sessions.now }, now: { time.now }))
    (root, control, _) = RootBuilder(
      dependency: NodeDependency(
        games: games, random: random, timers: loop, serverLog: serverLog, store: cluster.store,
        others: cluster)
    ).build()
    connect = { [unowned self] place, completion in
      self.connect(to: place.host, isCut, reach, completion)
    }
    link.onConnect = { [unowned self] in cluster.didConnect() }
    link.onDisconnect = { [unowned self] _ in cluster.didDisconnect() }
    loop.onTurnBegin = { [unowned self] in cluster.node.check() }
    cluster.operator.onOrder = { [unowned cluster] order in
      if let match = order.take, order.to == name { cluster.moves.take(match) }
    }
    cluster.onReplaced = { [unowned self] in onReplaced() }
    cluster.onLeave = { [unowned self] in link.stop() }
    control.launch()
    link.start()
    cluster.node.start()
    run()
  }

  /// Something has arrived for it.
  func wake() { nextTurn = time.now }

  /// Turns its loop until there is nothing to do.
  func run() {
    repeat {
      do throws(SystemError) {
        try loop.turn(wait: nil)
      } catch {
        preconditionFailure("The loop of a node has failed: \(error).")
      }
    } while poller.idleTime == nil || poller.idleTime == 0
    nextTurn = poller.idleTime.flatMap { $0 < 0 ? nil : time.now + .milliseconds(Int($0)) }
    if cluster.node.life != nil { isListening = true }
    for wire in wires { wire.collect() }
    wires.removeAll(where: \.isClosed)
  }

  /// Takes a new connection of a client.
  func accept(_ wire: SimulatedWire, number: Int) {
    watch(wire)
    ring { [self] in
      guard let connection = try? wire.connection(on: loop, number: number) else { return }
      connections.append(connection)
      control.accept(connection)
    }
  }

  /// Closes all sockets, as the system does when a process dies, and returns their wires.
  func end() -> [SimulatedWire] {
    doorbell.clear()
    for connection in connections { connection.reset() }
    link.stop()
    // What is left only holds itself: commands that wait for the engine, sessions and connections.
    run()
    for session in sessions {
      session.request?.onPair = {}
      session.outlet = nil
    }
    return wires
  }

  /// Stops as after SIGTERM.
  func stop() {
    ring { [self] in
      control.drain(within: nil) { [unowned self] in
        control.shutDown()
        loop.schedule(after: .seconds(2)) { [unowned self] in onExit() }
        loop.whenLastConnectionCloses { [unowned self] in
          // What it has to store is stored first.
          loop.schedule(after: .milliseconds(300)) { [unowned self] in onExit() }
        }
      }
    }
  }

  /// Moves a match to another node, as the operator wants it.
  func move(_ match: String, to node: String, answer: @escaping (Bool) -> Void) {
    ring { [self] in
      cluster.moves.move(match, to: node) { result in
        if case .success = result { answer(true) } else { answer(false) }
      }
    }
  }

  /// The matches in its tree.
  var matches: [any Match] { interactor?.matches.all ?? [] }
  var sessions: [Session] { interactor?.lobby.allSessions ?? [] }
  private var interactor: RootInteractor? { control as? RootInteractor }

  private func ring(_ task: @escaping () -> Void) {
    doorbell.ring(task)
    wake()
  }

  private func watch(_ wire: SimulatedWire) {
    wires.append(wire)
    wire.onInput = { [weak self] in self?.wake() }
  }

  private func connect(
    to host: String, _ isCut: @escaping () -> Bool,
    _ reach: @escaping (SimulatedWire, String) -> Bool,
    _ completion: @escaping (Result<any Connection, ConnectError>) -> Void
  ) -> () -> Void {
    var isDone = false
    let limit = loop.schedule(after: RedisLink.connectTimeout) {
      guard !isDone else { return }
      isDone = true
      completion(.failure(.timedOut))
    }
    time.after(.microseconds(100)...Duration.milliseconds(2)) { [weak self] in
      guard let self, !isCut(),
        let wire = try? SimulatedWire(time, latency: .microseconds(50)...Duration.milliseconds(1))
      else { return }
      wire.isCut = isCut
      let isAccepted = reach(wire, host)
      watch(wire)
      ring { [weak self] in
        guard let self, !isDone else { return }
        isDone = true
        limit.cancel()
        guard isAccepted, let connection = try? wire.connection(on: loop) else {
          return completion(.failure(.failed(SystemError(call: "connect", code: 111))))
        }
        completion(.success(connection))
      }
    }
    return {
      isDone = true
      limit.cancel()
    }
  }
}

/// Nobody has a password here.
private final class NoWorker: BackgroundWorker {
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void
  ) {
    preconditionFailure("There is no work.")
  }
}

private final class NodeDependency: Server.RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let settings = ServerSettings(limits: ConnectionLimits(), drain: .seconds(2), turn: .seconds(40))
  let serverLog: ServerLog
  let store: (any MatchStore)?
  let others: any OtherServers

  init(
    games: GameRegistry, random: RandomSource, timers: any Timers, serverLog: ServerLog,
    store: any MatchStore, others: any OtherServers
  ) {
    self.games = games
    self.random = random
    self.timers = timers
    self.serverLog = serverLog
    self.store = store
    self.others = others
  }
}
