import Foundation
import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

/// What can be saved of a damaged journal.
@Suite struct JournalRepairTests {
  private let games = GameRegistry.server

  /// A journal in which matches of all kinds begin, go on and end, in segments of 64 KiB. With
  /// `chat`, there are two of them. The last few records are not synced.
  private func makeJournal(chat: Int = 0) throws -> TemporaryFolder {
    let fixture = try StoreFixture(
      folder: TemporaryFolder(inMemory: true), games: games.games,
      options: StoreOptions(maxSegment: 65_536))
    let server = fixture.server
    let (zoe, yan) = try server.players("zoe", "yan")
    for round in 0..<3 {
      let (ann, bob) = try server.players()
      for cell in ["0 0", "1 1", "0 1", "1 0", "2 2"] {
        try ann.ask("place \(cell)")
        try bob.ask("place \(cell)")
      }
      for _ in 0..<chat {
        try zoe.ask("say \(String(repeating: "x", count: 200))")
        server.clock.advance(by: .milliseconds(200))
        fixture.recovery.store.commit()
        fixture.worker.run()
      }
      ann.cut()
      try ann.resume()
      try zoe.ask(round == 1 ? "start" : "resign")
      try yan.ask(round == 1 ? "place 1 1" : "start")
      fixture.recovery.store.commit()
      server.clock.advance(by: .milliseconds(100))
      fixture.worker.run()
      if round < 2 { for player in [ann, bob] { try player.ask("quit") } }
    }
    try yan.ask("cancel")
    fixture.recovery.store.commit()
    let copy = TemporaryFolder(inMemory: true)
    try FileManager.default.copyItem(atPath: fixture.journalPath, toPath: copy.path + "/journal")
    return copy
  }

  private func state(of folder: SegmentFolder) throws -> [String: StoredMatch] {
    var replay = MatchReplay(games)
    var reader = JournalReader()
    _ = try reader.read(try folder.numbers(), load: folder.bytes) { try replay.apply($0, in: $1) }
    return Dictionary(uniqueKeysWithValues: replay.liveMatches.map { ($0.id, $0) })
  }

  @Test(arguments: [(0, 1_000), (120, 20)])
  func `a flipped bit is found and repaired, or was not synced`(chat: Int, places: Int) throws {
    let source = try makeJournal(chat: chat)
    let original = SegmentFolder(path: source.path + "/journal")
    let whole = try state(of: original)
    #expect(whole.count == 2)
    let numbers = try original.numbers()
    try #require(numbers.count == (chat == 0 ? 1 : 2))
    var random = SeededGenerator(seed: 1)
    var (repaired, cut, lost) = (0, 0, 0)
    for _ in 0..<places {
      let folder = TemporaryFolder(inMemory: true)
      try FileManager.default.copyItem(
        atPath: original.path, toPath: folder.path + "/journal")
      let journal = SegmentFolder(path: folder.path + "/journal")
      let number = try #require(numbers.randomElement(using: &random))
      var bytes = [UInt8](try journal.bytes(of: number))
      let used = bytes.withUnsafeBytes { $0.usedCount }
      let offset = Int.random(in: 0..<used, using: &random)
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: journal.file(number)))
      let place = "segment \(number), offset \(offset)"
      do {
        let summary = try JournalCheck(folder: journal, games: games).run()
        #expect(summary.torn > 0, "\(place) was not noticed")
        cut += 1
      } catch let damage as JournalDamage {
        #expect(damage.position <= JournalPosition(segment: number, offset: offset))
        repaired += 1
        // To save time.
        guard chat > 0 || repaired % 4 == 0 else { continue }
        let data = try DataFolder(folder.path)
        let result = try JournalRepair(data, games: games).run()
        lost += result.verdicts.count { $0.loss != .none }
        #expect(FileManager.default.fileExists(atPath: result.damagedFiles))
        let summary = try JournalCheck(folder: journal, games: games).run()
        #expect(summary.torn == 0, "\(place)")
        try expectNothingWrong(try state(of: journal), whole, result.verdicts, place)
      }
    }
    #expect(repaired > places * 9 / 10 && lost > 0, "\(repaired), \(cut), \(lost)")
    #expect(chat > 0 || cut > 0)
  }

  /// Expects that each match is as it was, or as it was earlier.
  private func expectNothingWrong(
    _ found: [String: StoredMatch], _ whole: [String: StoredMatch], _ verdicts: [MatchVerdict],
    _ place: String
  ) throws {
    for (id, match) in found {
      let loss = verdicts.first { $0.match == id }?.loss
      // The last event of a match may be lost without a trace.
      guard let before = whole[id] else { continue }
      #expect(match.history.seq <= before.history.seq, "\(place)")
      if loss == .some(.none), match.history.seq == before.history.seq {
        #expect(match.board == before.board && match.series.score == before.series.score)
      }
      if case .cut(let seq)? = loss { #expect(match.history.seq == seq, "\(place)") }
    }
    for id in whole.keys where found[id] == nil {
      let loss = verdicts.first { $0.match == id }?.loss
      #expect(loss == .dropped, "\(place)")
    }
  }

  /// A folder with an archive. Of two matches that go on, one has two games in it; a third match has
  /// ended.
  private func makeArchivedData() throws -> TemporaryFolder {
    let fixture = try StoreFixture(folder: TemporaryFolder(inMemory: true), games: games.games)
    let server = fixture.server
    let (ann, bob) = server.wonMatch()
    for lines in [["resign"], ["place 1 1", "place 0 0"]] {
      for player in [ann, bob] { player.say("start") }
      for (player, line) in zip([ann, bob], lines) { player.say(line) }
    }
    let (cat, dan) = server.match("cat", "dan")
    cat.say("resign")
    dan.say("leave")
    cat.say("start bot")
    fixture.settle()
    fixture.recovery.store.stop()
    let copy = TemporaryFolder(inMemory: true)
    try FileManager.default.copyItem(atPath: fixture.journalPath, toPath: copy.path + "/journal")
    try Archive(in: fixture.folder.path, .readOnly, with: try SQLite())
      .copy(to: "\(copy.path)/\(Archive.fileName)")
    return copy
  }

  /// Lets everybody leave a server on a folder, so that all matches are archived.
  private func endAllMatches(in folder: TemporaryFolder) throws -> Int {
    let fixture = try StoreFixture(folder: folder, games: games.games)
    let matches = fixture.recovery.matches.count
    for session in fixture.server.commands.lobby.allSessions {
      _ = fixture.server.commands.kickHere(session.name.text, because: nil)
    }
    fixture.settle()
    fixture.recovery.store.stop()
    return matches
  }

  @Test func `after the repair of a bit in any record no game counts twice`() throws {
    let source = try makeArchivedData()
    let original = SegmentFolder(path: source.path + "/journal")
    let bytes = try original.bytes(of: 1)
    var records: [Range<Int>] = []
    var reader = JournalReader()
    _ = try reader.read([1], load: original.bytes) { record, _ in
      records.append(record.position.offset..<record.position.offset + record.count)
    }
    var random = SeededGenerator(seed: 2)
    var found: [String: Int] = [:]
    for record in records {
      let folder = TemporaryFolder(inMemory: true)
      for name in ["journal", Archive.fileName] {
        try FileManager.default.copyItem(
          atPath: "\(source.path)/\(name)", toPath: "\(folder.path)/\(name)")
      }
      var damaged = bytes
      let offset = try #require(record.randomElement(using: &random))
      damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let file = SegmentFolder(path: folder.path + "/journal").file(1)
      try damaged.write(to: URL(fileURLWithPath: file))
      let text = try CheckTool.findings(in: folder.path, repairs: true)
      let words = ["Cut ", "Dropped ", "2 finished games are kept", "No damage"]
      for word in words where text.contains(word) { found[word, default: 0] += 1 }
      #expect(try Tool.check.run(["--data", folder.path]) == .ok, "offset \(offset)")
      let matches = try endAllMatches(in: folder)
      for tool in [Tool.verify, .rebuild] {
        #expect(try tool.run(["--data", folder.path]) == .ok, "offset \(offset): \(text)")
      }
      // Each match that goes on has its lines in the archive in the end.
      let archive = try Archive(in: folder.path, .readOnly, with: try SQLite())
      #expect(try archive.matchIDs().count == 1 + matches, "offset \(offset)")
    }
    #expect(found.count == 4, "\(found)")
  }

  @Test func `a cut at each byte of the last 4 KiB leaves whole records, and the server starts`()
    throws
  {
    let source = try makeJournal()
    let original = SegmentFolder(path: source.path + "/journal")
    let last = try #require(try original.numbers().last)
    let bytes = try original.bytes(of: last)
    let used = bytes.withUnsafeBytes { $0.usedCount }
    var reader = JournalReader()
    var ends: [Int] = []
    _ = try reader.read(try original.numbers(), load: original.bytes) { record, _ in
      if record.position.segment == last { ends.append(record.position.offset + record.count) }
    }
    try #require(used > 4_096)
    for length in used - 4_096..<used {
      var reader = JournalReader()
      let end = try reader.read([last], load: { _ in bytes.prefix(length) }, { _, _ in })
      let whole = ends.last { $0 <= length } ?? 0
      #expect(end.position.offset == whole)
      #expect(end.torn == length - whole)
      guard length % 64 == 0 else { continue }
      let folder = TemporaryFolder(inMemory: true)
      try FileManager.default.copyItem(atPath: original.path, toPath: folder.path + "/journal")
      try bytes.prefix(length).write(
        to: URL(fileURLWithPath: SegmentFolder(path: folder.path + "/journal").file(last)))
      _ = try Archive(in: folder.path, with: try SQLite())
      let recovery = try Recovery(
        try DataFolder(folder.path),
        games: games,
        options: StoreOptions(),
        context: StoreContext(
          gate: OutputGate(), workers: .all(ManualWorker()), timers: ManualTimers()))
      #expect(recovery.torn == length - whole)
      #expect(recovery.matches.allSatisfy { $0.isCut || recovery.torn == 0 })
    }
  }

  /// Changes the only segment of a journal with two matches, and repairs it.
  private func repair(
    _ change: (inout String) throws -> Void
  ) throws -> (verdicts: [MatchVerdict], live: [String: StoredMatch], ids: [String]) {
    let fixture = try StoreFixture()
    let (ann, bob) = try fixture.server.players()
    let (cat, dan) = try fixture.server.players("cat", "dan")
    for cell in ["0 0", "1 1"] {
      try ann.ask("place \(cell)")
      try bob.ask("place \(cell)")
      try cat.ask("place \(cell)")
      try dan.ask("place \(cell)")
    }
    cat.cut()
    try cat.resume()
    let ids = fixture.server.root.children.compactMap { ($0.interactable as? any Match)?.id }
    fixture.recovery.store.stop()
    var text = String(decoding: try fixture.journal, as: UTF8.self)
    try change(&text)
    let folder = TemporaryFolder()
    let data = try DataFolder(folder.path)
    try data.journal.create()
    try Data(text.utf8).write(to: URL(fileURLWithPath: data.journal.file(1)))
    let verdicts = try JournalRepair(data, games: games).run().verdicts
    // A second repair finds nothing.
    let again = try JournalRepair(data, games: games).run().verdicts
    #expect(again.allSatisfy { $0.loss == .none })
    _ = try Archive(in: folder.path, with: try SQLite())
    let recovery = try Recovery(
      data,
      games: games,
      options: StoreOptions(),
      context: StoreContext(
        gate: OutputGate(), workers: .all(ManualWorker()), timers: ManualTimers()))
    #expect(recovery.matches.allSatisfy { $0.isCut })
    return (verdicts, try state(of: data.journal), ids)
  }

  @Test func `a match with a damaged record is cut before it, and the other one is kept`() throws {
    let (verdicts, live, ids) = try repair { text in
      // The second event of the first match.
      text = text.replacing(
        #""row":0,"col":0,"mark":"X""#, with: #""row":0,"col":9,"mark":"X""#,
        maxReplacements: 1)
    }
    #expect(verdicts.map(\.loss) == [.cut(after: 1), .none])
    #expect(verdicts.map(\.players) == [["ann", "bob"], ["cat", "dan"]])
    #expect(live[ids[0]]?.history.seq == 1)
    #expect(live[ids[1]]?.history.seq == 5)
  }

  @Test func `a match whose id cannot be read is known by its next event`() throws {
    let (verdicts, live, ids) = try repair { text in
      let first = try #require(text.firstRange(of: #""boardDidChange","match":""#))
      text.replaceSubrange(first, with: #""boardDidChange","matsh":""#)
    }
    #expect(verdicts.map(\.loss) == [.cut(after: 1), .none])
    #expect(live[ids[0]]?.history.seq == 1)
  }

  @Test func `a match whose beginning is damaged is dropped`() throws {
    let (verdicts, live, ids) = try repair { $0 = $0.replacing(" b {", with: " B {") }
    #expect(verdicts.map(\.loss) == [.dropped, .dropped])
    #expect(Set(verdicts.map(\.match)) == Set(ids))
    #expect(live.isEmpty)
  }

  @Test func `a damaged header loses no match, and no id is used again`() throws {
    let (verdicts, live, ids) = try repair { $0 = $0.replacing("journal 1", with: "jornual 1") }
    #expect(verdicts.map(\.loss) == [.none, .none])
    #expect(Set(live.keys) == Set(ids))
  }

  @Test func `a match that had ended after the damage is dropped, not played on`() throws {
    let fixture = try StoreFixture()
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 0 0")
    try bob.ask("leave")
    _ = try ann.hear()
    try ann.ask("start bot")
    fixture.recovery.store.stop()
    for damaged in [#""col":0"#, #""matchDidEnd""#] {
      let folder = TemporaryFolder()
      let data = try DataFolder(folder.path)
      try data.journal.create()
      let text = String(decoding: try fixture.journal, as: UTF8.self)
      let range = try #require(text.firstRange(of: damaged))
      var changed = text
      changed.replaceSubrange(range, with: String(repeating: "?", count: damaged.count))
      try Data(changed.utf8).write(to: URL(fileURLWithPath: data.journal.file(1)))
      let result = try JournalRepair(data, games: games).run()
      #expect(result.verdicts.map(\.loss) == [.dropped, .none])
      let live = try state(of: data.journal)
      #expect(live.values.map { $0.players.x?.name } == ["ann"])
    }
  }

  private func start(_ folder: TemporaryFolder, games: GameRegistry) throws -> Recovery {
    try Recovery(
      try DataFolder(folder.path),
      games: games,
      options: StoreOptions(maxSegment: 65_536),
      context: StoreContext(
        gate: OutputGate(), workers: .all(ManualWorker()), timers: ManualTimers()))
  }

  @Test func `a first file that is missing is noticed if a match goes on that begins in it`() throws
  {
    let folder = try makeJournal(chat: 120)
    let journal = SegmentFolder(path: folder.path + "/journal")
    _ = try Archive(in: folder.path, with: try SQLite())
    let live = try state(of: journal)
    try journal.remove(1)
    let lost = try #require(Set(live.keys).subtracting(try state(of: journal).keys).first)
    let reason =
      "match \(lost) goes on, but its beginning is not there: an earlier file of the journal is"
      + " missing"
    let damage = #expect(throws: JournalDamage.self) {
      try JournalCheck(folder: journal, games: games).run()
    }
    #expect(damage?.reason == reason)
    let error = #expect(throws: StartError.self) { try start(folder, games: games) }
    #expect(error?.code == .damaged && error?.sentence.contains(reason) == true)
    let verdicts = try JournalRepair(try DataFolder(folder.path), games: games).run().verdicts
    #expect(verdicts.filter { $0.loss == .dropped }.map(\.match) == [lost])
    let recovery = try start(folder, games: games)
    #expect(Set(recovery.matches.map(\.id)) == Set(live.keys).subtracting([lost]))
  }

  @Test func `a file that only a match needs whose game is unknown may go`() throws {
    let folder = try makeJournal(chat: 120)
    let journal = SegmentFolder(path: folder.path + "/journal")
    _ = try Archive(in: folder.path, with: try SQLite())
    let dropping = try start(folder, games: GameRegistry([]))
    #expect(dropping.unknownGames > 0 && dropping.matches.isEmpty)
    dropping.store.stop()
    try journal.remove(1)
    #expect(try JournalCheck(folder: journal, games: games).run().torn == 0)
  }

  @Test func `ids that were left out after a power failure stay left out`() throws {
    let fixture = try StoreFixture()
    let (ann, _) = try fixture.server.players()
    fixture.settle()
    fixture.loseSystem()
    try fixture.restart()
    fixture.recovery.store.stop()
    let folder = TemporaryFolder()
    let data = try DataFolder(folder.path)
    try data.journal.create()
    let text = String(decoding: try fixture.journal, as: UTF8.self)
    try Data(text.replacing("online", with: "0nline").utf8)
      .write(to: URL(fileURLWithPath: data.journal.file(1)))
    let result = try JournalRepair(data, games: games).run()
    #expect(result.verdicts.map(\.loss) == [.cut(after: 1)])
    var replay = MatchReplay(games)
    var reader = JournalReader()
    _ = try reader.read([1], load: data.journal.bytes) { try replay.apply($0, in: $1) }
    #expect(replay.begun == 1 + Recovery.skippedIDs)
    _ = ann
  }

  @Test func `the number of a match follows from its id`() {
    for number in [1, 2, 31, 999, 923_521, 923_522, 1_000_000, 29_552_672, 29_552_673] {
      #expect(MatchID.number(of: MatchID.text(number)) == number)
    }
    for id in ["", "abc", "ABCD", "a1cd", "abcdabcdabcd"] { #expect(MatchID.number(of: id) == nil) }
  }
}
