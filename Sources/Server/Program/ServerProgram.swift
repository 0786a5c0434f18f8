import Foundation
import Shared

/// The program around the server's tree: the loop, where it listens, and how it is stopped.
final class ServerProgram {
  /// How long the last lines may take to go out when the server stops.
  static let farewellTime: Duration = .seconds(3)

  private let loop: EventLoop
  private let serverLog: ServerLog
  private let root: any RootRouting
  private let control: any ServerControl
  private let trimmer: MemoryTrimmer
  private var listeners: [TCPListener] = []
  private var state = State.serving
  private var hasRunShort = false

  /// A signal leads to the next one at least.
  private enum State {
    case serving
    /// The last games go on.
    case draining
    /// The last lines go out.
    case leaving
  }

  private init(loop: EventLoop, options: ServerOptions) {
    self.loop = loop
    serverLog = ServerLog(.toStandardError(options.log))
    (root, control) = RootBuilder(
      dependency: AppComponent(timers: loop, settings: options.settings, serverLog: serverLog)
    ).build()
    trimmer = MemoryTrimmer(
      timers: loop,
      load: { [unowned loop, unowned control] in
        loop.connectionCount + control.matchCount
      },
      trim: { FreeMemory.giveBack() })
    loop.onConnectionClose = { [unowned trimmer] in trimmer.connectionDidClose() }
  }

  /// Serves until a signal stops it.
  static func run(_ options: ServerOptions) -> ExitCode {
    // The server goes on without its log when its reader has gone or its file may not grow any more,
    // and when the terminal is closed. SIGHUP has no other meaning yet.
    for number in [SIGPIPE, SIGXFSZ, SIGHUP] { signal(number, SIG_IGN) }
    // They wait until the server handles them. It takes Dispatch a while to take the place of their
    // default action, which would end the server without a goodbye.
    SignalMask.block([SIGINT, SIGTERM, SIGUSR1])
    // Some more than the connections: the loop, where it listens, signals.
    DescriptorLimit.raise(
      makingRoomFor: options.settings.limits.connections.map {
        $0 + ConnectionRegistry.maxRejected + 64
      })
    do {
      let program = ServerProgram(loop: try EventLoop(forgivesStalls: true), options: options)
      return try program.serve(options)
    } catch let failure as StartError {
      StandardOutput.printError(failure.sentence)
      return failure.code
    } catch {
      StandardOutput.printError("The server has failed: \(error).")
      return .ioError
    }
  }

  private func serve(_ options: ServerOptions) throws -> ExitCode {
    control.launch()
    listeners = try Listening.start(
      on: loop, options, accept: { [control] in control.accept($0) },
      didRunShort: { [unowned self] in reject(because: $0) })
    let signals = try [
      SignalSource(loop: loop, signal: SIGINT) { [unowned self] in stop(because: "SIGINT") },
      SignalSource(loop: loop, signal: SIGTERM) { [unowned self] in drain(because: "SIGTERM") },
      SignalSource(loop: loop, signal: SIGUSR1) { [serverLog, root] in serverLog.report(on: root) },
    ]
    defer { for signal in signals { signal.cancel() } }
    let written = StandardOutput.write(Listening.sentence(options, listeners))
    guard written == .ok else { return written }
    for listener in listeners {
      serverLog.log.write(.info, "listening", ["on": .text(listener.address.description)])
    }
    try loop.run()
    serverLog.log.write(.info, "stopped")
    return .ok
  }

  /// Said once: where it lasts it would be said for everybody who comes.
  private func reject(because error: SystemError) -> [UInt8] {
    if !hasRunShort {
      serverLog.log.write(
        .warning, "noDescriptors",
        [
          "reason": .text(error.description),
          "text": .words(
            "There is no room for more connections, so new ones are rejected."
              + " To make room, raise the limit on open files: ulimit -n"),
        ])
    }
    hasRunShort = true
    return control.rejectionLines
  }

  /// What asks for it can wait until the last games are over; who asks again cannot.
  private func drain(because signal: String) {
    guard case .serving = state else { return stop(because: signal) }
    serverLog.log.write(.info, "signal", ["name": .text(signal)])
    state = .draining
    control.drain { [unowned self] in sayGoodbye() }
  }

  /// Lets everybody go in peace; when that is under way already, does not wait for it.
  private func stop(because signal: String) {
    serverLog.log.write(.info, "signal", ["name": .text(signal)])
    switch state {
    case .serving, .draining: sayGoodbye()
    case .leaving: loop.stop()
    }
  }

  private func sayGoodbye() {
    state = .leaving
    for listener in listeners { listener.close() }
    control.shutDown()
    // Held by the loop itself, which would never go where one of them is not called.
    loop.schedule(after: Self.farewellTime) { [unowned loop] in loop.stop() }
    loop.whenLastConnectionCloses { [unowned loop] in loop.stop() }
  }
}

extension Log {
  /// The log of the real program.
  fileprivate static func toStandardError(_ options: Options) -> Log {
    let output = LogOutput(STDERR_FILENO) { count in
      LogLine(
        time: Date(), level: .warning, event: "dropped", fields: ["lines": .number(count)]
      ).bytes(as: options.format)
    }
    return Log(options, now: Date.init, sink: output.write)
  }
}

/// What the server's tree gets from the program.
private final class AppComponent: RootDependency {
  let games = GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)])
  let random = RandomSource(SecureRandomNumberGenerator())
  let timers: any Timers
  let settings: ServerSettings
  let serverLog: ServerLog

  init(timers: any Timers, settings: ServerSettings, serverLog: ServerLog) {
    self.timers = timers
    self.settings = settings
    self.serverLog = serverLog
  }
}
