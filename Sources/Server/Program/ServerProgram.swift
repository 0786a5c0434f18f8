import Foundation
import Shared

/// The program around the server's tree: the loop, the listeners, and the signals that stop it.
final class ServerProgram {
  /// How long a stopping server waits for its last lines to be sent.
  static let closeTimeout: Duration = .seconds(3)

  let loop: EventLoop
  let serverLog: ServerLog
  private let logOutput: LogOutput
  private let disk = DiskFigures.Cache()
  private let root: any RootRouting
  let control: any ServerControl
  private let trimmer: MemoryTrimmer
  private let sockets: ListeningSockets
  let manager: ServiceManager?
  var configuration: RunningConfiguration
  /// `nil` if a good configuration is not kept.
  let lastGood: (configuration: LastGoodConfiguration, worker: HelperThread)?
  /// `nil` without `--metrics`.
  private let monitoring: MonitoringListener?
  /// `nil` if matches are not kept.
  private let data: (folder: DataFolder, recovery: Recovery)?
  /// `nil` for a server that stands alone.
  let cluster: (engine: RedisLink, part: Cluster, watch: FailoverWatch?)?
  let commands: AdminCommands
  private let adminServers: (all: AdminServer, reading: AdminServer)
  private var listeners: [TCPListener] = []
  private var state = State.starting
  /// Whether a signal has asked for the stop. The operator cannot take that back, because a service
  /// manager ends the process when its time is over.
  private var stopsBySignal = false
  private var hasLoggedShortage = false

  /// A signal to stop leads to the next state, or to the one after it.
  private enum State {
    case starting
    case serving
    /// The last games are being played.
    case draining
    /// The last lines are being sent.
    case closing
  }

  /// - Throws: if the host is unknown, the port is taken, or the data cannot be used.
  private init(
    loop: EventLoop, configuration: RunningConfiguration, lastGood: LastGoodConfiguration?,
    passed: [PassedSocket], manager: ServiceManager?
  ) throws {
    self.loop = loop
    self.configuration = configuration
    self.lastGood = try lastGood.map { ($0, try HelperThread(loop: loop)) }
    self.manager = manager
    var options = configuration.options
    if let port = try Listening.port(of: passed) { options.port = port }
    // Before the data is touched.
    sockets = passed.isEmpty ? .addresses(try Self.addresses(options)) : .passed(passed)
    let notes = try Self.checkEngine(options, loop)
    let metrics = options.metrics.map { _ in Metrics(timers: loop, gate: loop.outputGate) }
    let games = GameRegistry.server
    options.log.isForJournal = Log.Options.isJournal(
      STDERR_FILENO, ProcessInfo.processInfo.environment)
    options.log.isASCII =
      isatty(STDERR_FILENO) == 1
      && !LocaleEncoding.isUTF8(in: ProcessInfo.processInfo.environment)
    let output = LogOutput.toStandardError(options.log)
    logOutput = output
    serverLog = ServerLog(
      Log(options.log, now: Date.init, sink: output.write), metrics: metrics)
    monitoring = try MonitoringListener(options.metrics, on: loop, games: games, serverLog)
    data = try Self.openData(options, games, loop, metrics, manager)
    cluster = try Self.openCluster(options, games, loop, serverLog, after: notes)
    // The first line on standard error says where the data is.
    monitoring?.report(to: serverLog.log)
    let moderation = try Self.moderation(in: data?.folder.path, loop, cluster?.part, serverLog.log)
    serverLog.report(doubtfulBansOf: moderation.record.namesLikeAddresses)
    let component = AppComponent(
      games: games, loop: loop, settings: options.settings, serverLog: serverLog,
      moderation: moderation, recovery: data?.recovery, cluster: cluster?.part)
    let parts: ServerParts
    (root, control, parts) = RootBuilder(dependency: component).build()
    commands = AdminCommands(parts, group: component.group, timers: loop, serverLog: serverLog)
    adminServers = (
      AdminServer(commands, timers: loop),
      AdminServer(commands, access: .reading, timers: loop)
    )
    trimmer = MemoryTrimmer(
      timers: loop,
      load: { [unowned loop, unowned control] in
        loop.connectionCount + control.matchCount
      },
      trim: { FreeMemory.returnToSystem() })
    loop.onConnectionClose = { [unowned trimmer] in trimmer.connectionDidClose() }
  }

  /// Serves until a signal stops the server.
  static func run(
    _ configuration: RunningConfiguration, lastGood: LastGoodConfiguration?
  ) -> ExitCode {
    let options = configuration.options
    // The server continues if the reader of its log has gone, or if its log file reaches a size
    // limit.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    // Signals stay pending until the server handles them. Dispatch replaces their default action
    // only after a while; until then the default action would end the server without `bye`.
    SignalMask.block([SIGINT, SIGTERM, SIGUSR1, SIGHUP])
    let waiter = StopWaiter()
    // The loop, the listeners and the signals need some descriptors too.
    DescriptorLimit.raise(
      makingRoomFor: options.settings.limits.connections.map {
        $0 + ConnectionRegistry.maxRejected + HTTPServer.maxConnections + 64
      })
    do {
      let passed = try PassedSocket.takeAll()
      let program = try ServerProgram(
        loop: try EventLoop(forgivesStalls: true), configuration: configuration, lastGood: lastGood,
        passed: passed, manager: ServiceManager())
      return try program.serve(options, waiter)
    } catch let unusable as PassedSocket.UnusableError {
      ErrorOutput.ofProcess.write(unusable.message, .last)
      return .unavailable
    } catch let failure as StartError {
      ErrorOutput.ofProcess.write(failure.sentence, .last)
      return failure.code
    } catch {
      ErrorOutput.ofProcess.write("The server has failed: \(error).", .last)
      return .ioError
    }
  }

  /// Returns the addresses to listen on. If another server uses both the port and the data folder,
  /// the error names its process.
  private static func addresses(_ options: ServerOptions) throws(StartError) -> [SocketAddress] {
    do throws(StartError) {
      return try Listening.addresses(options.endpoint)
    } catch {
      if error.code == .unavailable, let path = dataPath(options) {
        // It waits for a process that was killed a moment ago, whose port is free then too.
        try DataFolder.checkIsUnused(path)
        return try Listening.addresses(options.endpoint)
      }
      throw error
    }
  }

  /// Opens the operator's sockets, if there are any.
  private func openAdminSockets(_ options: ServerOptions) throws(StartError) -> [TCPListener] {
    var listeners: [TCPListener] = []
    if let path = options.admin.path(inData: dataFolder) {
      listeners.append(
        try Listening.onPath(
          path, loop, accept: { [server = adminServers.all] in server.accept($0) }))
      serverLog.log.write(.info, "adminSocket", ["path": .text(path)])
    }
    if let path = options.adminRead {
      listeners.append(
        try Listening.onPath(
          path, loop, option: ServerOption.adminRead.rawValue, isForGroup: true,
          accept: { [server = adminServers.reading] in server.accept($0) }))
      serverLog.log.write(.info, "readingSocket", ["path": .text(path)])
    }
    return listeners
  }

  private func recover(_ recovery: Recovery) {
    recovery.store.onFailure = { error in
      // A line that cannot be kept must never be told, so the process ends before the next send.
      ErrorOutput.ofProcess.write(
        "The journal cannot be written: \(error.reason).", .last)
      exit(ExitCode.ioError.rawValue)
    }
    recovery.archive.onFailure = { error in
      ErrorOutput.ofProcess.write(
        "The archive cannot be written: \(StandardOutput.reason(of: error)).", .last)
      exit(ExitCode.ioError.rawValue)
    }
    serverLog.observe(recovery)
    control.recover(recovery.matches)
    serverLog.log.write(
      .info, "recovered",
      [
        "matches": .number(control.matchCount),
        "sessions": .number(serverLog.counters.sessions.now),
        "records": .number(recovery.recordCount),
      ])
  }

  /// `waiter` ends the process at a signal as long as the program does not handle it.
  private func serve(_ options: ServerOptions, _ waiter: StopWaiter?) throws -> ExitCode {
    control.launch()
    if let data { recover(data.recovery) }
    if let cluster, let address = options.cluster?.engine {
      try join(cluster, at: address, on: loop)
    }
    // A process that died may have written a ban, and not carried it out.
    commands.enforceBans()
    commands.program = self
    serverLog.metrics?.operation = { [unowned self] in operationFigures }
    defer { data?.recovery.store.stop() }
    listeners = try Listening.start(
      on: loop, sockets, options.endpoint, accept: { [control] in control.accept($0) },
      onShortage: { [unowned self] in reject(because: $0) })
    listeners += try openAdminSockets(options)
    waiter?.end()
    let signals = try [
      SignalSource(loop: loop, signal: SIGINT) { [unowned self] in stop(because: "SIGINT") },
      SignalSource(loop: loop, signal: SIGTERM) { [unowned self] in drain(because: "SIGTERM") },
      SignalSource(loop: loop, signal: SIGUSR1) { [serverLog, root] in serverLog.report(on: root) },
      SignalSource(loop: loop, signal: SIGHUP) { [unowned self] in reload() },
    ]
    defer { for signal in signals { signal.cancel() } }
    let written = StandardOutput.write(greeting(options))
    guard written == .ok else { return written }
    state = .serving
    monitoring?.didStart { [unowned self] in
      note
    } whyNotReady: { [unowned self] in
      whyNotReady
    }
    for listener in listeners where !listener.isLocal {
      serverLog.log.write(.info, "listening", ["on": .text(listener.address.description)])
    }
    checkAddress()
    if configuration.mistakes.isEmpty { keepConfiguration() } else { reportMistakes() }
    if let note = configurationNote {
      serverLog.log.write(.warning, "lastGoodConfiguration", ["text": .words(note)])
    }
    manager?.isReady(loop) { [unowned self] in status }
    try loop.run()
    serverLog.log.write(.info, "stopped")
    return .ok
  }

  /// Returns the line on standard output that says where the server listens.
  private func greeting(_ options: ServerOptions) -> [UInt8] {
    let sentence = Listening.sentence(options.endpoint, sockets, listeners)
    guard options.log.format == .json else { return Array(sentence.utf8) }
    let port = Int(listeners.first?.address.port ?? options.port)
    return LogLine(
      time: Date(), level: .info, event: "started",
      fields: ["port": .number(port), "text": .words(sentence.trimmed)]
    ).bytes(for: Log.Options(format: .json))
  }

  private var status: String {
    let players = serverLog.counters.sessions.now
    return
      "\(Count.of(players, "player")), \(Count.of(control.matchCount, "match", "matches")) now."
      + (configuration.mistakes.isEmpty ? "" : " The configuration has a mistake.")
  }

  private var operationFigures: OperationFigures {
    let settings = configuration.options.settings
    return OperationFigures(
      maxConnections: settings.limits.connections, maxMatches: settings.maxMatches,
      isDraining: state == .draining || state == .closing,
      hasGoodConfiguration: configuration.mistakes.isEmpty, configurationRead: configuration.readAt,
      droppedLines: logOutput.droppedTotal,
      data: dataFolder.map { folder in
        disk.figures(of: folder, at: loop.now, archiveLag: data?.recovery.archive.lag ?? .zero)
      })
  }

  /// Logs the first rejection only, because there may be many.
  private func reject(because error: SystemError) -> [UInt8] {
    if !hasLoggedShortage {
      serverLog.log.write(
        .warning, "noDescriptors",
        [
          "reason": .text(error.description),
          "text": .words(
            "There is no room for more connections, so new ones are rejected."
              + " To make room, raise the limit on open files: ulimit -n"),
        ])
    }
    hasLoggedShortage = true
    serverLog.counters.rejected[.shortage, default: 0] += 1
    serverLog.counters.goodbyes[.full, default: 0] += 1
    return control.rejectionLines
  }

  /// Lets the last games end before the server stops, also if the operator drains it already. A
  /// second call does not wait for them.
  private func drain(because signal: String) {
    guard !stopsBySignal, state != .closing else { return stop(because: signal) }
    stopsBySignal = true
    serverLog.log.write(.info, "signal", ["name": .text(signal)])
    // Not on a drain of the operator, who may take it back.
    manager?.willStop(
      within: (configuration.options.settings.drain ?? .zero) + Self.closeTimeout * 2)
    drain(within: configuration.options.settings.drain ?? .zero)
  }

  /// Says goodbye to all clients and stops. A second call does not wait for the last lines.
  private func stop(because signal: String) {
    stopsBySignal = true
    serverLog.log.write(.info, "signal", ["name": .text(signal)])
    switch state {
    case .starting, .serving, .draining: sayGoodbye()
    case .closing: loop.stop()
    }
  }

  private func sayGoodbye() {
    state = .closing
    manager?.willStop(within: Self.closeTimeout * 2)
    for listener in listeners { listener.close() }
    monitoring?.close()
    control.shutDown()
    adminServers.all.close()
    adminServers.reading.close()
    // Unowned, because the loop holds these closures.
    loop.schedule(after: Self.closeTimeout) { [unowned loop] in loop.stop() }
    loop.whenLastConnectionCloses { [unowned loop] in loop.stop() }
  }
}

extension ServerProgram: AdminProgram {
  var dataFolder: String? { data?.folder.path }
  var configurationMistakes: [String] { configuration.mistakes }
  var optionsForRestart: [String] { configuration.optionsForRestart.map(\.rawValue) }
  var whyNotReady: String? {
    control.whyNotReady ?? data?.recovery.archive.outage?.whyNotReady
  }
  var metricsText: String? { monitoring?.metricsText }

  func drain(within time: Duration?) {
    if case .closing = state { return }
    state = .draining
    control.drain(within: time) { [unowned self] in sayGoodbye() }
  }

  func endDrain() -> Bool {
    guard case .draining = state, !stopsBySignal, control.endDrain() else { return false }
    state = .serving
    return true
  }
}

extension GameRegistry {
  /// The games of this server.
  static var server: GameRegistry {
    GameRegistry(GameInfo.all.map { Game($0, makeBuilder: TicTacToeBuilder.init) })
  }
}

extension LogOutput {
  /// Returns the output of the program's log.
  fileprivate static func toStandardError(_ options: Log.Options) -> LogOutput {
    LogOutput(STDERR_FILENO) { count in
      LogLine(
        time: Date(), level: .warning, event: "dropped", fields: ["lines": .number(count)]
      ).bytes(for: options)
    }
  }
}
