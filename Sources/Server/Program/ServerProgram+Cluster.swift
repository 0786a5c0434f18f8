import Foundation
import Shared

/// The program as a node of a cluster.
extension ServerProgram {
  /// How long a node waits for the engine when it starts.
  private static let joinTime: Duration = .seconds(10)
  /// How long the last lines to its clients may take when another process has the node's name.
  private static let replacedTime: Duration = .milliseconds(300)

  /// Returns the connection to the engine, and what this process does in its cluster; `nil` for a
  /// server that stands alone.
  static func openCluster(
    _ options: ServerOptions, _ games: GameRegistry, _ loop: EventLoop, _ serverLog: ServerLog
  ) throws -> (engine: EngineLink, part: Cluster)? {
    guard let cluster = options.cluster else { return nil }
    let random = RandomSource(SecureRandomNumberGenerator())
    let engine = EngineLink(
      cluster.engine, replicas: cluster.replicas, loop: loop, random: random)
    let part = Cluster(
      cluster, address: cluster.address(listeningOn: options.port), engine: engine, games: games,
      gate: loop.outputGate, timers: loop, random: random, serverLog: serverLog,
      passwords: PasswordQueue(
        try Recovery.passwordHasher(), worker: try HelperThread(loop: loop, priority: .idle),
        timers: loop, metrics: serverLog.metrics),
      load: { serverLog.counters.sessions.now }, now: BootClock.now)
    engine.onConnect = { [unowned part] in part.didConnect() }
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
      serverLog.log.write(.warning, "engineLost", ["reason": .text(reason)])
    }
    loop.onTurnBegin = { [unowned part] in part.node.check() }
    return (engine, part)
  }

  /// Connects to the engine at an address, and waits until this process is a node.
  ///
  /// - Throws: if the engine does not answer.
  func join(
    _ cluster: (engine: EngineLink, part: Cluster), at address: EngineAddress, on loop: EventLoop
  ) throws {
    cluster.part.onReplaced = { [unowned loop] in
      ErrorOutput.ofProcess.write(
        "Another process has joined the cluster as the node \(cluster.part.node.name)."
          + " To start both, give each its own name with --node.", isLast: true)
      loop.schedule(after: Self.replacedTime) { exit(ExitCode.unavailable.rawValue) }
    }
    cluster.part.onLeave = { cluster.engine.stop() }
    cluster.engine.start()
    cluster.part.node.start()
    let end = loop.preciseNow + Self.joinTime
    while cluster.part.node.life == nil {
      guard loop.preciseNow < end else { throw StartError.silentEngine(address) }
      try loop.turn(wait: .milliseconds(100))
    }
  }
}
