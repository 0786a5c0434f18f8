import Foundation
import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct JournalStoreTests {
  @Test func `a whole series can be recovered from each beginning of its journal`() throws {
    let fixture = try StoreFixture(
      settings: ServerSettings(turn: .seconds(30)),
      games: [.ticTacToe, Game(.ultimate, makeBuilder: TicTacToeBuilder.init)])
    let seen = try playSeries(at: fixture.server)
    fixture.recovery.store.commit()
    let journal = try fixture.journal
    let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
    #expect(ends.count > 30)
    for end in ends {
      try fixture.restart { $0 = Array(journal[...end]) }
      for match in fixture.recovery.matches {
        // Everything up to there was told as it is now: a spectator saw these lines.
        let lines = seen.filter { $0["match"]?.text == match.id }
        #expect(match.history.seq <= lines.count)
        let line = try #require(lines.first { $0["seq"]?.integer == match.history.seq })
        if let score = line["score"] {
          #expect(score["X"]?.integer == match.series.score.x)
          #expect(score["O"]?.integer == match.series.score.o)
        }
        // The match can be played to its end.
        let names = match.players.map { $0?.name }
        #expect(fixture.server.root.children.count == fixture.recovery.matches.count)
        #expect(names.x != nil)
      }
      fixture.server.clock.advance(by: .seconds(3_600))
      #expect(fixture.server.root.children.isEmpty)
      #expect(fixture.server.leaks == [])
    }
  }

  /// Plays matches with all kinds of events. Returns the lines that spectators of all got.
  private func playSeries(at server: TestServer) throws -> [JSON] {
    let (ann, bob) = try server.players()
    let eve = server.client(as: "eve")
    var seen = try eve.ask("watch \(server.onlyMatch)")
    // The snapshot of the beginning stands for it.
    seen[0] = JSON.object(["match": seen[0]["match"] ?? .null, "seq": 1])
    for cell in ["0 0", "1 1", "0 1", "1 0"] {
      try ann.ask("place \(cell)")
      try bob.ask("place \(cell)")
    }
    try ann.ask("say \"hello\\\" 🎲\"")
    try eve.say("say me too").map { try JSON($0) }.forEach { seen.append($0) }
    bob.cut()
    _ = try bob.resume()
    try ann.ask("place 0 2")
    try bob.ask("start")
    try bob.ask("cancel")
    try bob.ask("start")
    try ann.ask("decline")
    server.clock.advance(by: .seconds(31))
    try ann.ask("start")
    try bob.ask("start")
    server.clock.advance(by: .seconds(31))
    try ann.ask("start")
    try bob.ask("start")
    try ann.ask("resign")
    try ann.ask("start")
    try bob.ask("start")
    try ann.ask("place 1 1")
    try ann.ask("leave")
    seen += try eve.hear()
    seen += try playUltimate(at: server, eve)
    return seen
  }

  private func playUltimate(at server: TestServer, _ eve: LineClient) throws -> [JSON] {
    let zoe = server.client(as: "zoe")
    let start = try zoe.ask("start bot ultimate easy")
    let match = try #require(start.first?["match"]?.text)
    var seen = try eve.ask("watch \(match)")
    seen[0] = JSON.object(["match": .string(match), "seq": 1])
    _ = try zoe.ask("place 4 4")
    _ = try zoe.ask("resign")
    _ = try zoe.ask("start")
    _ = try zoe.ask("quit")
    return try seen + eve.hear()
  }

  @Test func `the events in the journal are the lines of a spectator`() throws {
    let fixture = try StoreFixture()
    let clients = fixture.server.match()
    let eve = fixture.server.client(as: "eve")
    eve.say("watch \(fixture.server.onlyMatch)")
    _ = eve.takeLines()
    fixture.server.playFirstRow(clients.x, clients.o)
    clients.x.say("say \"well played\"")
    clients.x.say("leave")
    fixture.server.network.run()
    let lines = eve.takeLines().filter { $0.contains("\"seq\"") }
    let events = try fixture.records.filter { $0.hasPrefix("e ") }.map { String($0.dropFirst(2)) }
    #expect(events.count == lines.count + 1)
    #expect(Array(events.dropFirst()) == lines)
    #expect(events.first?.hasPrefix("{\"type\":\"gameDidStart\",\"match\":") == true)
  }

  @Test func `nothing leaves before the disk has it, with power`() throws {
    let fixture = try StoreFixture(options: StoreOptions(durability: .power))
    fixture.worker.run()
    _ = fixture.server.match()
    fixture.recovery.store.commit()
    #expect(fixture.worker.count == 1)
    fixture.worker.run()
    #expect(try fixture.records.last?.hasPrefix("s 1 ") == true)
  }

  @Test func `with power, what comes in a turn with an end of a wait shares the next wait`() throws
  {
    let folder = TemporaryFolder()
    let (loop, worker) = (try EventLoop(), ManualWorker())
    let recovery = try Recovery(
      try DataFolder(folder.path),
      games: GameRegistry([.ticTacToe]),
      options: StoreOptions(durability: .power),
      context: StoreContext(
        gate: loop.outputGate,
        workers: StoreWorkers(journal: worker, archive: ManualWorker(), passwords: worker),
        timers: loop))
    let journal = SegmentFolder(path: folder.path + "/journal")
    func appendRecord() { recovery.store.setAccounts(nil, in: "abcd") }
    appendRecord()
    try loop.turn(wait: .zero)
    #expect(worker.count == 1)
    appendRecord()
    try loop.turn(wait: .zero)
    appendRecord()
    worker.run()
    // The first record is on the disk. The second waits for the third.
    #expect(worker.count == 0)
    try loop.turn(wait: .zero)
    #expect(worker.count == 1)
    worker.run()
    #expect(worker.count == 0)
    try loop.turn(wait: .zero)
    #expect(worker.count == 0)
    let kinds = String(decoding: try journal.bytes(of: 1), as: UTF8.self)
      .split(separator: "\n").compactMap { $0.dropFirst(23).first }.filter(\.isLetter)
    #expect(String(kinds) == "haaass")
  }

  @Test func `with process, the disk is told within 100 ms`() throws {
    let fixture = try StoreFixture()
    _ = fixture.server.match()
    fixture.recovery.store.commit()
    #expect(fixture.worker.count == 0)
    fixture.server.clock.advance(by: .milliseconds(100))
    #expect(fixture.worker.count == 1)
    fixture.worker.run()
    // The record that says so causes nothing more.
    fixture.server.clock.advance(by: .seconds(10))
    #expect(fixture.worker.count == 0)
    #expect(try fixture.records.last?.hasPrefix("s 1 ") == true)
  }

  @Test func `segments go as soon as no match needs them`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    let (ann, bob) = fixture.server.match()
    let text = String(repeating: "x", count: 200)
    func chat() {
      for _ in 0..<600 {
        fixture.server.clock.advance(by: .milliseconds(200))
        ann.say("say \(text)")
        _ = bob.takeLines()
        fixture.recovery.store.commit()
        fixture.worker.run()
      }
    }
    chat()
    let segments = SegmentFolder(path: fixture.journalPath)
    #expect(try segments.numbers().first == 1)
    #expect(try segments.numbers().count >= 3)
    ann.say("leave")
    fixture.settle()
    #expect(try segments.numbers().count == 1)
    #expect(try segments.numbers().first != 1)
    let ids = fixture.recovery.matches.map(\.id)
    #expect(ids == [])
  }

  /// Chats until the journal has as many records.
  private func fill(_ fixture: StoreFixture, _ client: LineClient, records: Int) {
    for _ in 0..<records {
      fixture.server.clock.advance(by: .milliseconds(200))
      client.say("say \(String(repeating: "x", count: 200))")
      _ = client.takeLines()
      fixture.recovery.store.commit()
    }
  }

  @Test func `while there is no room for the next segment, no match begins`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    // A folder of that name stands for a full disk.
    let obstacle = "\(fixture.journalPath)/\(Journal.nextPrefix)1"
    try FileManager.default.createDirectory(
      atPath: obstacle, withIntermediateDirectories: false)
    let (ann, _) = fixture.server.match()
    let zoe = fixture.server.client(as: "zoe")
    fill(fixture, ann, records: 150)
    fixture.worker.run()
    #expect(!fixture.recovery.store.hasRoom)
    let refusal = try zoe.ask("start bot").first
    #expect(refusal?["code"]?.text == "full")
    #expect(refusal?["retry"] != nil)
    #expect(try ann.askTypes("place 1 1") == ["boardDidChange"])
    try FileManager.default.removeItem(atPath: obstacle)
    fixture.server.clock.advance(by: JournalStore.allocationDelay)
    fixture.worker.run()
    #expect(fixture.recovery.store.hasRoom)
    #expect(try zoe.askTypes("start bot") == ["gameDidStart"])
  }

  @Test func `a segment that is needed at once is made at once`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    let (ann, _) = fixture.server.match()
    // The helper thread has made one, but its result has not arrived.
    fill(fixture, ann, records: 600)
    fixture.worker.run()
    fill(fixture, ann, records: 600)
    let segments = SegmentFolder(path: fixture.journalPath)
    #expect(try segments.numbers().count > 3)
    var reader = JournalReader()
    let end = try reader.read(try segments.numbers(), load: segments.bytes) { _, _ in }
    #expect(end.torn == 0)
    #expect(end.position.segment == (try segments.numbers().last))
  }

  @Test func `a journal that cannot be written lets nothing out`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    for name in ["\(Journal.nextPrefix)1", Journal.urgentName] {
      try FileManager.default.createDirectory(
        atPath: "\(fixture.journalPath)/\(name)", withIntermediateDirectories: false)
    }
    var failures: [SystemError] = []
    fixture.recovery.store.onFailure = { failures.append($0) }
    let (ann, _) = fixture.server.match()
    fill(fixture, ann, records: 600)
    #expect(failures.count == 1)
    #expect(failures.first?.call == "open")
  }

  @Test func `damage before the last sync refuses to start, with the file and the place`() throws {
    let fixture = try StoreFixture()
    _ = fixture.server.match()
    fixture.recovery.store.commit()
    fixture.server.clock.advance(by: .milliseconds(100))
    fixture.worker.run()
    let error = #expect(throws: StartError.self) {
      try fixture.restart { $0[100] ^= 1 }
    }
    #expect(error?.code == .damaged)
    #expect(error?.sentence.contains("00000001.log, after") == true)
  }

  @Test func `an event against the rules refuses to start`() throws {
    let fixture = try StoreFixture()
    let (ann, _) = fixture.server.match()
    ann.say("place 1 1")
    fixture.recovery.store.commit()
    var replay = MatchReplay(GameRegistry([.ticTacToe]))
    var reader = JournalReader()
    let bytes = Data(
      String(decoding: try fixture.journal, as: UTF8.self)
        .replacing("\"row\":1,\"col\":1", with: "\"row\":0,\"col\":1").utf8)
    _ = try? reader.read(
      [1], load: { _ in bytes },
      { record, bytes in
        try replay.apply(record, in: bytes)
      })
    // The checksum notices it first; without one, the rules do.
    var match = try #require(replay.liveMatches.first)
    let line = Array(
      #"{"type":"boardDidChange","match":"m","seq":2,"cells":[{"row":0,"col":0,"mark":"O"}],"turn":"X","hash":"00000000"}"#
        .utf8)
    var decoder = EventDecoder()
    guard case .match(let event) = try decoder.decode(line.span).event else { return }
    #expect(throws: ReplayError("a move of match \(match.id) breaks the rules")) {
      try match.apply(event, line.span)
    }
  }

  @Test func `a second server in the folder is told who uses it`() throws {
    let fixture = try StoreFixture()
    let error = #expect(throws: StartError.self) { try DataFolder(fixture.folder.path) }
    #expect(error?.code == .unavailable)
    #expect(error?.sentence.contains("process \(getpid())") == true)
  }
}
