import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// What goes on while the archive cannot be changed.
@Suite struct ArchiveOutageTests {
  private let fixture: StoreFixture
  private let outages = Outages()
  private var server: TestServer { fixture.server }
  private var archive: String { "\(fixture.folder.path)/\(Archive.fileName)" }

  private final class Outages {
    var all: [ArchiveOutage?] = []
  }

  init() throws {
    fixture = try StoreFixture()
    fixture.settle()
    observe()
  }

  private func observe() {
    fixture.recovery.archive.onOutage = { [outages] in outages.all.append($0) }
    fixture.recovery.archive.onFailure = { Issue.record("The server would end: \($0)") }
    fixture.recovery.store.onFailure = { Issue.record("The server would end: \($0)") }
  }

  private func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    _ = client.takeLines()
    client.sendOnly(line)
    server.network.run()
    fixture.settle()
    return try client.hear()
  }

  /// Expects that a game can be played to its end, while accounts are unavailable.
  private func expectOutage(_ players: (LineClient, LineClient)) throws {
    let (ann, bob) = players
    server.playFirstRow(ann, bob)
    #expect(try ann.hearTypes().last == "gameDidEnd")
    let refusal = try #require(try ask(ann, "register \"correct horse\"").first)
    #expect(refusal["code"]?.text == "unavailable")
    #expect(refusal["retry"]?.integer ?? 0 > 0)
    fixture.settle()
    #expect(try ask(ann, "ping").first?.type == "pong")
    #expect(outages.all.count == 1)
  }

  /// Expects that everything that has waited is in the archive.
  private func expectEnd(_ players: (LineClient, LineClient)) throws {
    server.clock.advance(by: ArchiveQueue.retryDelay)
    fixture.settle()
    #expect(outages.all.count == 2 && outages.all.last == .some(nil))
    #expect(fixture.recovery.archive.outage == nil)
    #expect(try ask(players.0, "register \"correct horse\"").first?.type == "didRegister")
    let history = try ask(players.1, "history")
    #expect(history.first?["items"]?.elements.count == 1)
  }

  @Test(arguments: ["IMMEDIATE", "EXCLUSIVE"])
  func `while another program locks the archive, games go on and nobody registers`(
    kind: String
  ) throws {
    let players = server.match()
    let other = try Database(archive, .readWrite, with: try SQLite())
    try other.execute("BEGIN \(kind)")
    try expectOutage(players)
    #expect(outages.all == [.locked])
    // New players may come.
    #expect(fixture.recovery.archive.outage?.whyNotReady == nil)
    try other.execute("ROLLBACK")
    try expectEnd(players)
  }

  @Test func `the log of an archive that was removed is emptied, so a backup can take its place`()
    throws
  {
    let ann = server.client(as: "ann")
    #expect(try ask(ann, "register \"correct horse\"").first?.type == "didRegister")
    let log = URL(fileURLWithPath: archive + "-wal")
    #expect(try !Data(contentsOf: log).isEmpty)
    try FileManager.default.removeItem(atPath: archive)
    fixture.recovery.archive.checkFiles()
    fixture.settle()
    #expect(outages.all == [.missing([archive])])
    #expect(try Data(contentsOf: log).isEmpty)
  }

  @Test func `each game is in the history once, whenever the archive was locked`() throws {
    let (ann, bob) = server.match()
    let other = try Database(archive, .readWrite, with: try SQLite())
    for round in 1...4 {
      if round.isMultiple(of: 2) { try other.execute("BEGIN IMMEDIATE") }
      ann.say("resign")
      fixture.settle()
      if round.isMultiple(of: 2) { try other.execute("ROLLBACK") }
      for player in [ann, bob] { player.say("start") }
      server.clock.advance(by: ArchiveQueue.retryDelay)
      fixture.settle()
      _ = bob.takeLines()
      #expect(try ask(ann, "history").first?["items"]?.elements.count == round)
    }
  }

  @Test func `a password that is changed, and a name that is given up, wait for a lock too`() throws
  {
    let ann = server.client(as: "ann")
    #expect(try ask(ann, "register \"correct horse\"").first?.type == "didRegister")
    let other = try Database(archive, .readWrite, with: try SQLite())
    try other.execute("BEGIN IMMEDIATE")
    for line in ["register \"another one\" \"correct horse\"", "unregister \"correct horse\""] {
      #expect(try ask(ann, line).first?["code"]?.text == "unavailable", "\(line)")
    }
    try other.execute("COMMIT")
    server.clock.advance(by: ArchiveQueue.retryDelay)
    fixture.settle()
    #expect(
      try ask(ann, "register \"another one\" \"correct horse\"").first?.type == "didRegister")
    #expect(try ask(ann, "unregister \"another one\"").first?.type == "didUnregister")
  }

  @Test func `the segments stay as long as what is in them is not in the archive`() throws {
    let players = server.match()
    let other = try Database(archive, .readWrite, with: try SQLite())
    try other.execute("BEGIN IMMEDIATE")
    try expectOutage(players)
    #expect(fixture.recovery.store.segments == [1])
    // A new process finds the same lock, and then the game.
    try fixture.restart()
    observe()
    outages.all = []
    fixture.settle()
    #expect(outages.all == [.locked])
    try other.execute("ROLLBACK")
    server.clock.advance(by: ArchiveQueue.retryDelay)
    fixture.settle()
    let history = try ask(server.client(as: "eve"), "history")
    #expect(history.first?["items"]?.elements.count == 1)
  }

  @Test func `a start waits for a program that locks the archive`() throws {
    let folder = TemporaryFolder()
    _ = try Archive(in: folder.path, with: try SQLite())
    var other: Database? = try Database(
      "\(folder.path)/\(Archive.fileName)", .readWrite, with: try SQLite())
    // Readers are locked out too.
    try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    var waits = 0
    let recovery = try Recovery(
      try DataFolder(folder.path),
      games: GameRegistry([.ticTacToe]),
      options: StoreOptions(),
      context: StoreContext(
        gate: OutputGate(), workers: .all(ManualWorker()), timers: ManualTimers()),
      lockTimeout: .zero,
      observer: RecoveryObserver(whileLocked: {
        waits += 1
        try #require(waits <= 3)
        if waits == 3 { other = nil }
      }))
    #expect(waits == 3 && other == nil)
    #expect(recovery.matches.isEmpty)
  }

  private static let files = [
    "", "/lock", "/journal", "/journal/00000001.log", "/archive.db", "/archive.db-wal",
    "/archive.db-shm",
  ]

  @Test(arguments: files)
  func `a file that is moved away is noticed, and noticed again when it is back`(
    file: String
  ) throws {
    let players = server.match()
    fixture.settle()
    let path = fixture.folder.path + file
    let away = NSTemporaryDirectory() + "tictactoe-away-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: away) }
    #expect(rename(path, away) == 0)
    fixture.recovery.archive.checkFiles()
    fixture.others.run()
    guard case .missing(let paths)? = fixture.recovery.archive.outage else {
      Issue.record("\(file) is not missed")
      return
    }
    #expect(paths.contains(path))
    #expect(fixture.recovery.archive.outage?.whyNotReady != nil)
    try expectOutage(players)
    #expect(rename(away, path) == 0)
    try expectEnd(players)
  }

  @Test(arguments: ["/lock", "/journal/00000001.log", "/archive.db", "/archive.db-wal"])
  func `a file with the same bytes does not take the place of another`(file: String) throws {
    let path = fixture.folder.path + file
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    #expect(rename(path + ".copy", path) == 0)
    fixture.recovery.archive.checkFiles()
    fixture.others.run()
    #expect(outages.all == [.missing([path])])
  }

  @Test func `whoever registers is told the truth even if nobody has looked for the files`() throws
  {
    let ann = server.client(as: "ann")
    try FileManager.default.removeItem(atPath: archive)
    #expect(try ask(ann, "register \"correct horse\"").first?["code"]?.text == "unavailable")
    #expect(outages.all == [.missing([archive])])
  }

  @Test func `without its log, the archive gets what was told before`() throws {
    let ann = server.client(as: "ann")
    #expect(try ask(ann, "register \"correct horse\"").first?.type == "didRegister")
    for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: archive + end) }
    fixture.recovery.archive.checkFiles()
    fixture.others.run()
    // What a next process finds.
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: archive, toPath: "\(folder.path)/\(Archive.fileName)")
    let copy = try Archive(in: folder.path, .readOnly, with: try SQLite())
    #expect(try copy.accounts().map(\.name) == ["ann"])
  }

  @Test func `segments that the server itself makes and removes are not missed`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    var outages: [ArchiveOutage?] = []
    fixture.recovery.archive.onOutage = { outages.append($0) }
    for round in 0..<4 {
      let (ann, bob) = fixture.server.match("ann\(round)", "bob\(round)")
      for _ in 0..<120 {
        fixture.server.clock.advance(by: .milliseconds(200))
        ann.say("say \(String(repeating: "x", count: 200))")
        fixture.recovery.store.commit()
        fixture.recovery.archive.checkFiles()
        fixture.worker.run()
        fixture.others.run()
      }
      ann.say("resign")
      bob.say("leave")
      fixture.settle()
    }
    #expect(fixture.recovery.store.segments.first ?? 0 > 1)
    let numbers = try SegmentFolder(path: fixture.journalPath).numbers()
    #expect(fixture.recovery.store.segments == numbers)
    #expect(outages.isEmpty)
  }

  @Test func `a start with a damaged page says so, and lets games go on`() throws {
    let (ann, bob) = server.match()
    server.playFirstRow(ann, bob)
    fixture.settle()
    // The log goes into the file.
    _ = try Database(archive, .readWrite, with: try SQLite()).execute(
      "PRAGMA wal_checkpoint(TRUNCATE)")
    var page = 0
    let folder = TemporaryFolder()
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: fixture.folder.path, toPath: folder.path)
    for end in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(folder.path)/\(Archive.fileName)\(end)")
    }
    let copy = "\(folder.path)/\(Archive.fileName)"
    try Database(copy, .readOnly, with: try SQLite()).statement(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'games'"
    ).run { page = $0.integer(0) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    let range = (page - 1) * 4_096..<page * 4_096
    bytes.replaceSubrange(range, with: Data(repeating: 0xAB, count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: copy))
    let (worker, timers) = (ManualWorker(), ManualTimers())
    let recovery = try Recovery(
      try DataFolder(folder.path),
      games: GameRegistry([.ticTacToe]),
      options: StoreOptions(),
      context: StoreContext(gate: OutputGate(), workers: .all(worker), timers: timers))
    recovery.archive.onFailure = { Issue.record("The server would end: \($0)") }
    guard case .damaged? = recovery.archive.outage else {
      Issue.record("the damage is not noticed")
      return
    }
    for _ in 0..<20 {
      worker.run()
      timers.advance(by: .seconds(1))
    }
    var isRefused = false
    recovery.archive.change { _ in
    } then: {
      if case .failure = $0 { isRefused = true }
    }
    #expect(isRefused)
    #expect(recovery.matches.map { $0.players.x?.name } == ["ann"])
  }
}
