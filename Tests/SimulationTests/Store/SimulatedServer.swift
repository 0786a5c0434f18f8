import Foundation
import TestSupport

@testable import Server
@testable import Shared

/// A server's process with its data folder.
final class SimulatedServer {
  let network: MemoryNetwork
  let clock = ManualTimers()
  let gate = OutputGate()
  let journalWorker = SimulatedWorker()
  let otherWorker = SimulatedWorker()
  let control: any ServerControl
  /// Whether the process has stopped, because its disk has failed.
  private(set) var hasFailed = false
  private let disk: SimulatedDisk
  private let root: any RootRouting
  private var folder: DataFolder?
  private let recovery: Recovery

  init(
    _ path: String, disk: SimulatedDisk, durability: Durability, seed: UInt64, start: Int
  ) throws {
    self.disk = disk
    let random = RandomSource(SeededGenerator(seed: seed))
    network = MemoryNetwork(seed: seed)
    let folder = try DataFolder(path, calls: disk.start())
    self.folder = folder
    let games = GameRegistry(
      [GameInfo.ticTacToe, .connect].map { Game($0, makeBuilder: TicTacToeBuilder.init) })
    // Each process begins an hour after the one before.
    let date = Date(timeIntervalSince1970: 1_732_000_000 + Double(3_600 * start))
    recovery = try Recovery(
      folder,
      games: games,
      options: StoreOptions(maxSegment: StoreOptions.minSegment, durability: durability),
      context: StoreContext(
        gate: gate,
        workers: StoreWorkers(
          journal: journalWorker, archive: otherWorker, passwords: otherWorker), timers: clock,
        now: { [clock] in date + Double(clock.now.milliseconds) / 1_000 }),
      passwords: PlainPasswords(),
      lockTimeout: .zero)
    (root, control, _) = RootBuilder(
      dependency: StoreDependency(
        games: games, random: random, timers: clock, store: recovery.store,
        directory: recovery.directory)
    ).build()
    recovery.store.onFailure = { [unowned self] _ in hasFailed = true }
    recovery.archive.onFailure = { [unowned self] _ in hasFailed = true }
    network.whenAtRest = { [clock] in clock.advance(by: .zero) }
    control.launch()
    control.recover(recovery.matches)
    endTurn()
  }

  var hasEnded: Bool { hasFailed || disk.isDead }

  func hasMatch(_ id: String) -> Bool { (control as? RootInteractor)?.matches[id] != nil }

  /// The gate lets the output of the turn out, or holds it.
  func endTurn() {
    guard !hasEnded else { return }
    gate.commit()
  }

  func stop() {
    endDisturbance()
    folder = nil
  }

  // MARK: What others do to the data

  private var otherProgram: Database?
  /// Where a file was, and where it is.
  private var moved: (path: String, away: String)?

  var isDisturbed: Bool { otherProgram != nil || moved != nil }

  func lockArchive() throws {
    guard let folder else { return }
    let database = try Database(
      "\(folder.path)/\(Archive.fileName)", .readWrite, lockTimeout: .zero, with: try SQLite())
    try database.execute("BEGIN IMMEDIATE")
    otherProgram = database
  }

  func moveAway(_ name: String) {
    guard let folder else { return }
    let path = "\(folder.path)/\(name)"
    moved = (path, path + ".away")
    _ = rename(path, path + ".away")
    recovery.archive.checkFiles()
  }

  func endDisturbance() {
    // Closing it takes the lock away.
    otherProgram = nil
    guard let (path, away) = moved else { return }
    _ = rename(away, path)
    moved = nil
    recovery.archive.checkFiles()
  }

  /// Returns the client's end of a new connection.
  func connect() -> MemoryConnection {
    let (near, far) = network.connect()
    control.accept(far)
    return near
  }

  // MARK: What is stored

  /// The events of all matches, by match and number.
  private(set) var events: [String: [Int: String]] = [:]
  /// The hashes of passwords, by the names of accounts.
  private(set) var accounts: [String: String] = [:]
  private(set) var archivedCounts: [String: Int] = [:]

  /// Reads everything that is stored, and checks that it agrees with itself.
  func check() throws(ViolationError) {
    // The archive takes what the process before has left, and the ends of games whose last move was
    // the last record. It waits for the disk, and then for others to come.
    let step = JournalStore.syncDelay
    let time = ArchiveQueue.delay + step * 4
    for _ in 0..<Int(time / step) {
      endTurn()
      journalWorker.runAll()
      otherWorker.runAll()
      clock.advance(by: step)
    }
    do {
      try read()
    } catch let error as ViolationError {
      throw error
    } catch {
      throw ViolationError("the store cannot be read: \(error)")
    }
  }

  private func read() throws {
    guard let folder else { return }
    events = [:]
    let archive = try Archive(in: folder.path, .readOnly, with: try SQLite())
    var ids: [String] = []
    try archive.database.statement("SELECT id FROM matches").run { ids.append($0.text(0)) }
    for id in ids {
      guard let match = try archive.match(id), let lines = match.lines else { continue }
      let replay = try StoredLines(lines)
      try require(replay.count == match.header.last, "match \(id) has \(replay.count) events")
      try replay.check()
      events[id] = replay.lines
      try checkResults(of: id, ends: replay.gameEnds, in: archive)
    }
    var reader = JournalReader()
    var decoder = EventDecoder()
    let segments = folder.journal
    var live: [String: StoredLines] = [:]
    _ = try reader.read(try segments.numbers(), load: segments.bytes) { record, bytes in
      guard record.kind == .event else { return }
      let payload = bytes.extracting(record.payload)
      let line = payload.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      guard case .match(let event) = try decoder.decode(payload).event else { return }
      guard events[event.match] == nil else {
        return try require(
          events[event.match]?[event.seq] == line, "the archive has another \(line)")
      }
      try live[event.match, default: StoredLines()].append(line)
    }
    for (id, lines) in live {
      events[id] = lines.lines
      try checkResults(of: id, ends: lines.gameEnds, in: archive)
    }
    let rated = try checkRatings(in: archive)
    archivedCounts = ["archived matches": ids.count, "rated games": rated]
    accounts = [:]
    for account in try archive.accounts() { accounts[account.name] = account.password }
  }

  private func checkResults(of match: String, ends: Int, in archive: Archive) throws {
    var results = 0
    try archive.database.statement("SELECT count(*) FROM games WHERE match = ?")
      .run(.text(match)) { results = $0.integer(0) }
    try require(
      results == ends, "\(ends) games of \(match) have ended, \(results) are in the history")
  }

  /// Ratings are those of a recount of all results, in their order.
  private func checkRatings(in archive: Archive) throws -> Int {
    var expected: [String: RatingEntry] = [:]
    var rated = 0
    try archive.database.statement(
      """
      SELECT game, xAccount, oAccount, winner, reason FROM games WHERE xAccount IS NOT NULL
      ORDER BY id
      """
    ).run { row in
      rated += 1
      let keys = PerMark(
        x: "\(row.integer(1)) \(row.text(0))", o: "\(row.integer(2)) \(row.text(0))")
      let entries = keys.map { expected[$0] ?? RatingEntry() }
      let winner = Archive.outcome(row, 3).winner
      let ratings = Rating.updated(entries.map(\.rating), winner: winner)
      for mark in Mark.allCases {
        expected[keys[mark], default: RatingEntry()].add(
          ratings[mark], Rating.Result(of: mark, winner: winner))
      }
    }
    var found = 0
    var wrong: String?
    try archive.database.statement(
      "SELECT account, game, rating, deviation, volatility, won, lost, drawn FROM ratings"
    ).run { row in
      found += 1
      let entry = RatingEntry(
        rating: Rating(value: row.real(2), deviation: row.real(3), volatility: row.real(4)),
        won: row.integer(5), lost: row.integer(6), drawn: row.integer(7))
      let key = "\(row.integer(0)) \(row.text(1))"
      if expected[key] != entry {
        wrong = "\(key) is \(entry), not \(String(describing: expected[key]))"
      }
    }
    try require(wrong == nil, "a rating is wrong: \(wrong ?? "")")
    // Accounts that were given up have results, but no rating.
    var accounts: Set<Int> = []
    for account in try archive.accounts() { accounts.insert(account.id) }
    let kept = expected.keys.count { key in
      key.split(separator: " ").first.flatMap { Int($0) }.map(accounts.contains) == true
    }
    try require(found == kept, "\(found) ratings are kept, not \(kept)")
    return rated
  }
}

/// The work of a helper thread, done one piece at a time when a world says so.
final class SimulatedWorker: BackgroundWorker {
  private var jobs: [() -> Void] = []

  func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void
  ) {
    jobs.append { then(work()) }
  }

  func runOne() {
    if !jobs.isEmpty { jobs.removeFirst()() }
  }

  func runAll() {
    while !jobs.isEmpty { runOne() }
  }
}

/// Passwords that cost no time.
struct PlainPasswords: PasswordHashing {
  func hash(_ password: String) -> String? { "plain \(password)" }
  func matches(_ password: String, _ hash: String?) -> Bool { hash == self.hash(password) }
}

private final class StoreDependency: Server.RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let settings = ServerSettings(limits: ConnectionLimits(), turn: .seconds(40))
  let serverLog = ServerLog(.silent)
  let store: (any MatchStore)?
  let directory: any Directory

  init(
    games: GameRegistry, random: RandomSource, timers: any Timers, store: any MatchStore,
    directory: any Directory
  ) {
    self.games = games
    self.random = random
    self.timers = timers
    self.store = store
    self.directory = directory
  }
}
