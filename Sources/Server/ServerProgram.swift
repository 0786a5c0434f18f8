import Foundation
import Shared

/// The program around the server's tree: the loop, where it listens, and how it is stopped.
final class ServerProgram {
  /// How long the last lines may take to go out when the server stops.
  static let farewellTime: Duration = .seconds(3)

  private let loop: EventLoop
  private let root: any RootRouting
  private var listeners: [TCPListener] = []
  private var isStopping = false
  private var hasRunShort = false

  private init(loop: EventLoop, settings: ServerSettings) {
    self.loop = loop
    root = RootBuilder(dependency: AppComponent(timers: loop, settings: settings)).build()
  }

  /// Serves until a signal stops it.
  static func run(_ options: ServerOptions) -> ExitCode {
    do {
      let program = ServerProgram(loop: try EventLoop(), settings: options.settings)
      return try program.serve(options)
    } catch let failure as StartFailure {
      StandardOutput.complain(failure.sentence)
      return failure.code
    } catch {
      StandardOutput.complain("The server cannot go on: \(error).")
      return .ioError
    }
  }

  private func serve(_ options: ServerOptions) throws -> ExitCode {
    DescriptorLimit.raise()
    root.launch()
    listeners = try Listening.start(
      on: loop, options, accept: { [root] in root.accept($0) },
      didRunShort: { [unowned self] in turnAway(because: $0) })
    let signals = try [SIGINT, SIGTERM].map { signal in
      try SignalSource(loop: loop, signal: signal) { [unowned self] in stop() }
    }
    defer { for signal in signals { signal.cancel() } }
    let written = StandardOutput.write(Listening.sentence(options, listeners))
    guard written == .ok else { return written }
    try loop.run()
    return .ok
  }

  /// Said once: where it lasts it would be said for everybody who comes.
  private func turnAway(because error: SystemError) -> [UInt8] {
    if !hasRunShort {
      StandardOutput.complain(
        "There is no room for more connections (\(error)), so those who come are turned away."
          + " To have room for more, raise the limit on open files: ulimit -n")
    }
    hasRunShort = true
    return root.farewellLines
  }

  /// The first signal lets everybody go in peace, the second does not wait for that.
  private func stop() {
    guard !isStopping else { return loop.stop() }
    isStopping = true
    for listener in listeners { listener.close() }
    root.shutDown()
    loop.schedule(after: Self.farewellTime) { [loop] in loop.stop() }
    loop.whenLastConnectionCloses { [loop] in loop.stop() }
  }
}

/// What the server's tree gets from the program.
private final class AppComponent: RootDependency {
  let games = GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)])
  let random = RandomSource()
  let timers: any Timers
  let settings: ServerSettings

  init(timers: any Timers, settings: ServerSettings) {
    self.timers = timers
    self.settings = settings
  }
}
