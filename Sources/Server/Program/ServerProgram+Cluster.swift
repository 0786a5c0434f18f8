import Foundation
import Shared

/// The program as a node of a cluster.
extension ServerProgram {
  /// How long a node waits for the engine when it starts.
  private static let joinTime: Duration = .seconds(10)
  /// How long the last lines to its clients may take when another process has the node's name.
  private static let replacedTime: Duration = .milliseconds(300)

  /// Checks the engine of a cluster, and waits for it if it has to.
  ///
  /// - Returns: what was found that could be better; nothing for a server that stands alone.
  static func checkEngine(
    _ options: ServerOptions, _ loop: EventLoop
  ) throws(StartError) -> [String] {
    guard let cluster = options.cluster else { return [] }
    let output = ErrorOutput.ofProcess
    let notes = try ClusterStart.check(
      cluster, on: loop, random: RandomSource(), tell: { output.write($0, .warning) })
    for note in notes { output.write(note, .warning) }
    return notes
  }

  /// Returns the connection to the engine, and what this process does in its cluster; `nil` for a
  /// server that stands alone. `notes` are those of `checkEngine`.
  static func openCluster(
    _ options: ServerOptions, _ games: GameRegistry, _ loop: EventLoop, _ serverLog: ServerLog,
    after notes: [String]
  ) throws -> (engine: RedisLink, part: Cluster, watch: FailoverWatch?)? {
    guard let cluster = options.cluster else { return nil }
    let random = RandomSource(SecureRandomNumberGenerator())
    let engine = RedisLink(
      cluster.engine, replicas: cluster.replicas, loop: loop, random: random)
    let part = Cluster(
      cluster, address: cluster.address(listeningOn: options.port), engine: engine,
      context: ClusterContext(
        games: games, gate: loop.outputGate, timers: loop, random: random, serverLog: serverLog,
        passwords: PasswordQueue(
          try Recovery.passwordHasher(), worker: try HelperThread(loop: loop, priority: .idle),
          timers: loop, metrics: serverLog.metrics),
        load: { serverLog.counters.sessions.now }, now: BootClock.now))
    let settings = RedisSettingsWatch(after: notes, timers: loop, log: serverLog.log) {
      [unowned engine] in
      RedisCheck.run(
        on: engine, replicas: cluster.replicas, downAfter: engine.downAfter, answer: $0)
    }
    let outages = RedisOutageLog(timers: loop, log: serverLog.log)
    engine.onConnect = { [unowned part, unowned engine] in
      outages.didConnect(to: engine.primary)
      part.didConnect()
      // The start has checked the first one.
      if part.node.life != nil { settings.didConnect() }
    }
    var disconnections = 0
    serverLog.metrics?.clusterFigures = { [unowned part, unowned engine] in
      var figures = part.figures
      figures.waitingCommands = engine.pendingCount
      figures.disconnections = disconnections
      return figures
    }
    engine.onDisconnect = { [unowned part] reason in
      part.didDisconnect()
      disconnections += 1
      outages.didDisconnect(because: reason)
    }
    loop.onTurnBegin = { [unowned part] in part.node.check() }
    let watch = FailoverWatch(of: cluster.engine, timers: loop, connect: connect(on: loop)) {
      [unowned engine] in
      FailoverWatch.stopWriting(to: engine)
    }
    return (engine, part, watch)
  }

  /// Lets a node check that the address that it advertises leads to it.
  func checkAddress() {
    cluster?.part.checkAddress(connect: Self.connect(on: loop))
  }

  private static func connect(on loop: EventLoop) -> RedisLink.Connect {
    { [unowned loop] place, completion in
      Connector(
        loop: loop, host: place.host, port: place.port, limit: AddressCheck.replyTime,
        completion: completion
      ).cancel
    }
  }

  /// Connects to the engine at an address, and waits until this process is a node.
  ///
  /// - Throws: if the engine does not answer.
  func join(
    _ cluster: (engine: RedisLink, part: Cluster, watch: FailoverWatch?),
    at address: RedisAddress, on loop: EventLoop
  ) throws {
    let name = cluster.part.node.name
    let end = { [unowned loop] (sentence: String) in
      ErrorOutput.ofProcess.write(
        "\(sentence) To start both, give each its own name with --node.", .last)
      loop.schedule(after: Self.replacedTime) { exit(ExitCode.nodeNameInUse.rawValue) }
    }
    cluster.part.onReplaced = {
      end("Another process has joined the cluster as the node \(name).")
    }
    cluster.part.onNameInUse = {
      end("Another process is the node \(name) of the cluster. It is alive at \($0).")
    }
    cluster.part.onLeave = { cluster.engine.stop() }
    cluster.engine.start()
    cluster.part.node.start()
    let limit = loop.preciseNow + Self.joinTime
    while cluster.part.node.life == nil {
      guard loop.preciseNow < limit else { throw StartError.silentEngine(address) }
      try loop.turn(wait: .milliseconds(100))
    }
  }
}
