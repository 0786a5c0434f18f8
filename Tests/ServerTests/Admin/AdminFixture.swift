import Foundation
import Shared
import TestSupport

@testable import Server

/// A server in memory with its operator's socket. Its time of day is that of its clock.
final class AdminFixture {
  let log = LogRecorder()
  let clock = ManualTimers()
  let server: TestServer
  let socket: AdminServer
  let program: ProgramDouble
  private let worker = ManualWorker()

  /// With a folder, the operator's decisions are kept there.
  init(
    settings: ServerSettings = .untimed, limits: ConnectionLimits = ConnectionLimits(),
    folder: String? = nil
  ) throws {
    let (clock, worker) = (clock, worker)
    let moderation = Moderation(
      try folder.map { try OperatorFile.read(in: $0) } ?? OperatorRecord(),
      store: folder.map { OperatorFile(in: $0, worker: worker) },
      now: { Self.date(at: clock.now) })
    server = TestServer(
      settings: settings, limits: limits, log: log.log(.info), clock: clock,
      moderation: moderation)
    socket = AdminServer(server.commands, timers: clock)
    program = ProgramDouble(server.control)
    server.commands.program = program
  }

  private static func date(at time: Duration) -> Date {
    Date(timeIntervalSince1970: 1_800_000_000 + time / .seconds(1))
  }

  /// Returns an operator's connection, before its greeting.
  func connect() -> MemoryConnection {
    let (near, far) = server.network.connect()
    socket.accept(far)
    return near
  }

  /// Returns an operator who has read the greeting.
  func admin() -> LineClient {
    let client = LineClient(connect(), on: server.network)
    server.network.run()
    _ = client.takeLines()
    return client
  }

  /// Lets the helper thread write, and the answers come.
  func settle() {
    worker.run()
    server.network.run()
  }
}

/// The program around a server in memory.
final class ProgramDouble: AdminProgram {
  let dataFolder: String? = nil
  var configurationMistakes: [String] = []
  var optionsForRestart: [String] = []
  var whyNotReady: String?
  var metricsText: String?
  private let control: any ServerControl
  private(set) var hasStopped = false

  init(_ control: any ServerControl) { self.control = control }

  func drain(within time: Duration?) {
    control.drain(within: time) { [unowned self] in hasStopped = true }
  }

  func endDrain() -> Bool { control.endDrain() }

  /// What `reload` returns.
  var reloaded = (sentences: ["turn is 20s now."], isTaken: true)

  func reload() -> (sentences: [String], isTaken: Bool) { reloaded }
}

extension LineClient {
  /// Sends a command, and returns the sentence of the reply; for a refusal its code.
  func tell(_ line: String) throws -> String? {
    let reply = try ask(line).first
    return reply?["type"] == "error" ? reply?["code"]?.text : reply?["message"]?.text
  }
}
