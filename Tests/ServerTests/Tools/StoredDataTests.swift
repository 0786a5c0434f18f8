import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// The tools' view of a data folder: matches, ratings, and old lines.
@Suite struct StoredDataTests {
  private let fixture: StoreFixture
  private var server: TestServer { fixture.server }

  init() throws {
    fixture = try StoreFixture(games: GameRegistry.server.games)
  }

  private func data(_ mode: Database.Mode = .readOnly) throws -> StoredData {
    fixture.settle()
    return try StoredData(fixture.folder.path, mode)
  }

  private func register(_ client: LineClient) throws {
    fixture.settle()
    client.sendOnly("register \"correct horse\"")
    server.network.run()
    fixture.settle()
    _ = client.takeLines()
  }

  @Test func `the lines of a match are those of a spectator, running and finished`() throws {
    let (ann, bob) = server.match()
    let eve = server.client(as: "eve")
    eve.sendOnly("watch \(server.onlyMatch)")
    server.network.run()
    _ = eve.takeLines()
    let id = server.onlyMatch
    server.playFirstRow(ann, bob)
    ann.sendOnly("say \"\\\"match\\\":\\\"aaaa\\\"\"")
    server.network.run()
    let running = try #require(try data().lines(of: id))
    #expect(!running.hasEnded)
    ann.sendOnly("leave")
    server.network.run()
    let finished = try #require(try data().lines(of: id))
    #expect(finished.hasEnded)
    #expect(finished.bytes.starts(with: running.bytes))
    let seen = eve.takeLines().filter { $0.contains("\"seq\"") }
    let lines = String(decoding: finished.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropFirst().map(String.init) == seen)
    #expect(try data().lines(of: "aaaa") == nil)
    let verified = try VerifiedMatch(finished.bytes, games: .server)
    #expect(verified.results.count == 1 && verified.record.hasEnded && verified.record.id == id)
  }

  @Test func `every kind of game follows the rules when it is replayed`() throws {
    var random = SeededGenerator(seed: 3)
    for info in GameInfo.all {
      let (x, o) = server.match("ann", "bob")
      x.sendOnly("leave")
      server.network.run()
      x.sendOnly("start bob \(info.id)")
      o.sendOnly("start ann \(info.id)")
      server.network.run()
      let id = server.onlyMatch
      var board = info.board
      while let turn = board.turn {
        let cell = try #require(board.openCells.randomElement(using: &random))
        _ = try board.place(turn, at: cell)
        (turn == .x ? x : o).say("place \(cell.row) \(cell.column)")
      }
      for client in [x, o] { client.sendOnly("quit") }
      server.network.run()
      let lines = try #require(try data().lines(of: id))
      let verified = try VerifiedMatch(lines.bytes, games: .server)
      #expect(verified.record.game == info.id && verified.results.count == 1)
    }
  }

  @Test(arguments: [
    (#""seq":2"#, #""seq":3"#), (#""mark":"X""#, #""mark":"O""#), (#""col":1"#, #""col":2"#),
    (#""hash":""#, #""hash":"0"#), (#""score":{"X":1"#, #""score":{"X":2"#),
    (#""type":"boardDidChange""#, #""type":"boardDidWonder""#),
    (#""winner":"X""#, #""winner":"O""#),
    ("\n", ""),
  ])
  func `a changed line breaks the rules`(found: String, other: String) throws {
    let (ann, bob) = server.match()
    let id = server.onlyMatch
    server.playFirstRow(ann, bob)
    ann.sendOnly("leave")
    server.network.run()
    let lines = try #require(try data().lines(of: id))
    var text = String(decoding: lines.bytes, as: UTF8.self)
    let range = try #require(text.firstRange(of: found))
    text.replaceSubrange(range, with: other)
    let error = #expect(throws: ReplayError.self) {
      try VerifiedMatch(Array(text.utf8), games: .server)
    }
    #expect(error?.reason.contains("line ") == true)
    if found.contains("mark") { #expect(error?.reason.contains("breaks the rules") == true) }
  }

  @Test func `ratings that are made again are the same, also after an account was deleted`() throws
  {
    let (ann, bob, cat) = (
      server.client(as: "ann"), server.client(as: "bob"), server.client(as: "cat")
    )
    for client in [ann, bob, cat] { try register(client) }
    for (one, other, names) in [(ann, bob, ("ann", "bob")), (ann, cat, ("ann", "cat"))] {
      one.sendOnly("start \(names.1)")
      other.sendOnly("start \(names.0)")
      server.network.run()
      server.playFirstRow(one, other)
      one.sendOnly("leave")
      server.network.run()
    }
    fixture.settle()
    bob.sendOnly("unregister \"correct horse\"")
    server.network.run()
    func ratings(_ archive: Archive) throws -> [String] {
      var rows: [String] = []
      try archive.database.statement(
        "SELECT name, points, rating, deviation, won, lost FROM ratings ORDER BY name"
      ).run { row in
        rows.append(
          "\(row.text(0)) \(row.integer(1)) \(row.real(2)) \(row.real(3))"
            + " \(row.integer(4)) \(row.integer(5))")
      }
      return rows
    }
    let archive = try #require(try data(.readWrite).archive)
    let before = try ratings(archive)
    #expect(before.map { $0.prefix(3) } == ["ann", "cat"])
    try archive.database.execute("UPDATE ratings SET rating = 1, points = 1, won = 7")
    #expect(try RebuildTool.rebuildRatings(in: archive) == 2)
    #expect(try ratings(archive) == before)
  }

  @Test func `lines go after the days that they are kept, and results stay`() throws {
    let fixture = try StoreFixture(options: StoreOptions(keep: 1))
    let (ann, bob) = fixture.server.match()
    let id = fixture.server.onlyMatch
    fixture.server.playFirstRow(ann, bob)
    ann.sendOnly("leave")
    fixture.server.network.run()
    fixture.settle()
    fixture.server.clock.advance(by: Retention.interval)
    fixture.settle()
    let archive = try #require(try StoredData(fixture.folder.path, .readWrite).archive)
    let exported = try #require(try archive.match(id)?.lines)
    // As if it had ended two days before.
    try archive.database.execute("UPDATE matches SET ended = ended - 172800000")
    fixture.server.clock.advance(by: Retention.interval)
    fixture.settle()
    #expect(try archive.match(id) != nil)
    #expect(try archive.match(id)?.lines == nil)
    #expect(try ResultsByMatch(archive, isForAll: true).results(of: id).count == 1)
    let error = #expect(throws: StartError.self) {
      try StoredData(fixture.folder.path).lines(of: id)
    }
    #expect(error?.code == .noInput)
    // A file that was exported before can still be verified, but not compared.
    let file = "\(fixture.folder.path)/exported.json"
    try Data(exported).write(to: URL(fileURLWithPath: file))
    let options = try #require(try ToolOptions(.verify, [file, "--data", fixture.folder.path]))
    let text = try VerifyTool.verify(file: file, options)
    #expect(text.hasPrefix("\(file), which has match \(id), is good: "))
    #expect(text.contains("\nIt was not compared. The lines of match \(id) were removed;"))
  }

  @Test func `a line with a wrong hash is named, with what is wrong`() throws {
    let (ann, _) = server.match()
    let id = server.onlyMatch
    ann.sendOnly("place 0 0")
    server.network.run()
    let lines = try #require(try data().lines(of: id))
    let text = String(decoding: lines.bytes, as: UTF8.self)
      .replacing(/"hash":"[0-9a-f]{8}"/, with: #""hash":"0badcafe""#)
    #expect(throws: ReplayError("in line 2, the hash after a move of match \(id) is wrong")) {
      try VerifiedMatch(Array(text.utf8), games: .server)
    }
  }

  @Test func `a copy without the bans, because they cannot be read, is no copy`() throws {
    let source = try data()
    let file = "\(source.path)/\(OperatorFile.name)"
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    let copy = TemporaryFolder()
    #expect(throws: (any Error).self) { try BackupTool.copy(source, to: copy.path) }
  }

  @Test func `a damaged journal is not copied, and a torn end of it is no damage`() throws {
    _ = server.match()
    let path = try data().path
    let file = SegmentFolder(path: fixture.journalPath).file(1)
    let bytes = try fixture.journal
    let copies = TemporaryFolder()
    func backup(_ bytes: [UInt8], to name: String) throws -> ExitCode {
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      return try Tool.backup.run(["\(copies.path)/\(name)", "--data", path])
    }
    var damaged = bytes
    damaged[100] ^= 1
    #expect(try backup(damaged, to: "damaged") == .damaged)
    #expect(!FileManager.default.fileExists(atPath: "\(copies.path)/damaged"))
    #expect(try backup(bytes + Array("0badc0de 1732000000123 e to".utf8), to: "torn") == .ok)
    #expect(try SegmentFolder(path: "\(copies.path)/torn/journal").bytes(of: 1) == Data(bytes))
  }

  @Test(arguments: [false, true])
  func `tools refuse a journal without its archive, as a start does`(isEmpty: Bool) throws {
    let (ann, _) = server.match()
    ann.sendOnly("place 1 1")
    server.network.run()
    let (path, folder) = (try data().path, TemporaryFolder())
    try FileManager.default.copyItem(
      atPath: fixture.journalPath, toPath: "\(folder.path)/journal")
    if isEmpty {
      try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(Archive.fileName)"))
    }
    let copy = "\(folder.path)-copy"
    for (tool, words) in [
      (Tool.check, []), (.check, ["--repair"]), (.verify, []), (.backup, [copy]),
    ] {
      #expect(try tool.run(words + ["--data", folder.path]) == .damaged, "\(tool)")
      #expect(try tool == .backup || tool.run(["--data", path]) == .ok, "\(tool)")
    }
    #expect(!FileManager.default.fileExists(atPath: copy))
    // After a repair too.
    let file = SegmentFolder(path: "\(folder.path)/journal").file(1)
    let text = String(decoding: try fixture.journal, as: UTF8.self)
    try Data(text.replacing("boardDidChange", with: "boardDidDance").utf8).write(
      to: URL(fileURLWithPath: file))
    #expect(try Tool.check.run(["--repair", "--data", folder.path]) == .damaged)
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/journal.damaged-1"))
  }

  @Test func `a copy gives nobody the id of an account that was registered while it was made`()
    throws
  {
    let ann = server.client(as: "ann")
    try register(ann)
    let copy = TemporaryFolder()
    let source = try data()
    _ = try BackupTool.copy(source, to: copy.path) {
      let bob = server.client(as: "bob")
      try register(bob)
    }
    func last(_ archive: Archive?) throws -> Int? {
      try archive?.number("SELECT seq FROM sqlite_sequence WHERE name = 'accounts'")
    }
    let archive = try StoredData(copy.path).archive
    #expect(try archive?.number("SELECT count(*) FROM accounts") == 1)
    #expect(try last(source.archive) == 2)
    #expect(try last(archive) == 2)
    var mode = ""
    try archive?.database.statement("PRAGMA journal_mode").run { mode = $0.text(0) }
    #expect(mode == "wal")
  }

  @Test func `a copy cannot be put into the data folder`() throws {
    let path = fixture.folder.path
    let (folder, name) = (TemporaryFolder(), URL(fileURLWithPath: path).lastPathComponent)
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for target in [
      path, "\(path)/bk", "\(path)/a/b", "\(path)/../x/../\(name)/bk", "\(link)/bk",
    ] {
      let error = #expect(throws: StartError.self) {
        try BackupTool.checkIsOutside(target, path)
      }
      #expect(error?.code == .usage)
    }
    try BackupTool.checkIsOutside("\(path)-copy", path)
  }

  @Test func `the use of the disk has what is allocated, and the files beside the archive`() throws
  {
    let path = try data().path
    // The first segment is allocated as a whole.
    #expect(try StatsTool.bytesOnDisk("\(path)/journal") >= 1 << 20)
    let archive = try StatsTool.bytesOnDisk(path, Archive.fileName)
    for name in [Archive.fileName, "\(Archive.fileName)-wal"] {
      #expect(try StatsTool.bytesOnDisk(path, name) <= archive)
    }
    let log =
      try FileManager.default.attributesOfItem(
        atPath: "\(path)/\(Archive.fileName)-wal")[.size] as? Int
    #expect(try archive >= #require(log))
    #expect(try StatsTool.bytesOnDisk("\(path)/none") == 0)
  }

  @Test func `what SQLite has found is one clean sentence`() {
    #expect(
      Archive.reason(in: ["*** in database main ***\nPage 7: btreeInitPage() returns error 11"])
        == "Page 7: btreeInitPage() returns error 11")
    #expect(Archive.reason(in: ["row 1 missing from index a"]) == "row 1 missing from index a")
  }

  @Test func `a word that is empty or too much is a usage error that is whole sentences`() {
    for (tool, words) in [
      (Tool.backup, [""]), (.export, [""]), (.verify, [""]), (.export, []), (.export, ["a", "b"]),
    ] {
      let error = #expect(throws: UsageError.self) { try ToolOptions(tool, words) }
      #expect(error?.message.contains("[--data FOLDER") == true)
      #expect(error?.message.hasSuffix("].") == true)
    }
  }

  @Test func `a word too much for the operator, or an empty socket, is named`() {
    let extra = #expect(throws: UsageError.self) { try AdminTool.request(["status", "now"]) }
    #expect(
      extra?.message == "“now” is too much. The usage is: tictactoe-server admin status.")
    let socket = #expect(throws: UsageError.self) {
      try ToolOptions(.admin, ["status", "--socket", ""])
    }
    #expect(socket?.message == "--socket takes the path of a socket.")
  }

  @Test func `a word of a shell command is quoted if it must be`() {
    #expect(ShellWord.quoted("/srv/ttt-1/data_2.x") == "/srv/ttt-1/data_2.x")
    #expect(ShellWord.quoted("my data") == "'my data'")
    #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    #expect(Count.of(1_234_567, "byte") == "1,234,567 bytes")
    #expect(Count.of(1, "match", "matches") == "1 match")
    #expect(Count.text(999) == "999" && Count.text(1_000) == "1,000")
  }
}
