import Foundation
import Shared
import TestSupport

@testable import Server

/// A server in memory with a journal in a folder of its own, which can die and start again.
final class StoreFixture {
  let folder: TemporaryFolder
  let worker = ManualWorker()
  /// Those of the archive and of the passwords.
  let others = ManualWorker()
  private let settings: ServerSettings
  private let games: [Game]
  private var dataFolder: DataFolder?
  private(set) var gate = OutputGate()
  private(set) var recovery: Recovery
  /// The figures of the first process; those after it have none.
  let metrics: Metrics?
  /// Called while a next process reads the journal.
  var whenReading: () -> Void = {}
  private(set) var server: TestServer
  private var starts: UInt64 = 1
  private var lostSystem = false

  init(
    folder: TemporaryFolder = TemporaryFolder(), settings: ServerSettings = .untimed,
    games: [Game] = [.ticTacToe],
    options: StoreOptions = StoreOptions(), calls: DiskCalls = DiskCalls(),
    clock: ManualTimers = ManualTimers(), isMeasured: Bool = false
  ) throws {
    self.folder = folder
    self.settings = settings
    self.games = games
    let dataFolder = try DataFolder(folder.path, calls: calls)
    self.dataFolder = dataFolder
    metrics = isMeasured ? Metrics(timers: clock, gate: gate) : nil
    (recovery, server) = try Self.start(
      dataFolder, gate, worker, others, settings, games, options, seed: starts, clock, metrics)
  }

  private static func start(
    _ folder: DataFolder, _ gate: OutputGate, _ worker: any BackgroundWorker,
    _ others: any BackgroundWorker,
    _ settings: ServerSettings,
    _ games: [Game], _ options: StoreOptions, seed: UInt64,
    _ clock: ManualTimers = ManualTimers(), _ metrics: Metrics? = nil,
    whenReading: @escaping () -> Void = {}
  ) throws -> (Recovery, TestServer) {
    let recovery = try Recovery(
      folder,
      games: GameRegistry(games),
      options: options,
      context: StoreContext(
        gate: gate, workers: StoreWorkers(journal: worker, archive: others, passwords: others),
        timers: clock, now: { Date(timeIntervalSince1970: 1_732_000_000) }, metrics: metrics),
      lockTimeout: .zero,
      observer: RecoveryObserver(whenReading: whenReading))
    let server = TestServer(
      games: games, seed: seed, settings: settings, clock: clock, store: recovery.store,
      directory: recovery.directory, metrics: metrics)
    server.control.recover(recovery.matches)
    recovery.store.commit()
    return (recovery, server)
  }

  /// Kills the server after all its output has left, and starts another one in its folder, after
  /// `change` has changed the bytes of its only segment.
  func restart(
    options: StoreOptions = StoreOptions(), _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws {
    recovery.store.commit()
    starts += 1
    var bytes = try journal
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: SegmentFolder(path: journalPath).file(1)))
    gate = OutputGate()
    // The lock of the process before goes with it.
    dataFolder = nil
    if lostSystem {
      try "1 another-boot\n".write(
        toFile: "\(folder.path)/lock", atomically: false, encoding: .utf8)
      lostSystem = false
    }
    let dataFolder = try DataFolder(folder.path)
    self.dataFolder = dataFolder
    (recovery, server) = try Self.start(
      dataFolder, gate, worker, others, settings, games, options, seed: starts,
      whenReading: whenReading)
  }

  /// Lets the helper threads do what there is to do, until nothing is left.
  func settle() {
    recovery.store.commit()
    var idle = Duration.zero
    while idle < ArchiveQueue.delay + .milliseconds(200) {
      idle = worker.count + others.count > 0 ? .zero : idle + .milliseconds(100)
      worker.run()
      others.run()
      server.network.run()
      server.clock.advance(by: .milliseconds(100))
    }
  }

  /// Sends a line, lets the helper threads do their work, and returns the replies.
  func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    client.sendOnly(line)
    server.network.run()
    settle()
    return try client.hear()
  }

  /// The next process finds that the system has restarted.
  func loseSystem() {
    lostSystem = true
  }

  var journalPath: String { folder.path + "/journal" }

  /// The bytes of the only segment up to its last record.
  var journal: [UInt8] {
    get throws {
      let bytes = try SegmentFolder(path: journalPath).bytes(of: 1)
      return Array(bytes.prefix(bytes.withUnsafeBytes { $0.usedCount }))
    }
  }

  /// The records of the journal, without checksum and time.
  var records: [String] {
    get throws {
      recovery.store.commit()
      return String(decoding: try journal, as: UTF8.self).split(separator: "\n").map {
        String($0.dropFirst(23))
      }
    }
  }
}

extension StoreWorkers {
  static func all(_ worker: any BackgroundWorker) -> StoreWorkers {
    StoreWorkers(journal: worker, archive: worker, passwords: worker)
  }
}

/// Does work when a test says so.
final class ManualWorker: BackgroundWorker {
  private var jobs: [() -> Void] = []

  func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void
  ) {
    jobs.append { then(work()) }
  }

  var count: Int { jobs.count }

  /// Does all work that has been asked for.
  func run() {
    let jobs = jobs
    self.jobs = []
    for job in jobs { job() }
  }
}

extension JSON {
  /// The type of a line.
  var type: String? { self["type"]?.text }

  var integer: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  var truth: Bool? {
    guard case .bool(let truth) = self else { return nil }
    return truth
  }
}
