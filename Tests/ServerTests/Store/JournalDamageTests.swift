import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// What `check` calls good starts, can be played on, and starts again; what it does not call good
/// can be repaired.
@Suite struct JournalDamageTests {
  enum Damage: String, CaseIterable {
    case none, missing, missingTwo, cut, emptied, zeroed, garbage, flipped, swapped, doubled
    case overwritten, renamed, folder, link, strangers, oldArchive
  }

  private static var games: GameRegistry { .server }

  /// The files of a data folder by their paths in it.
  private struct Files: Sendable {
    var contents: [String: Data] = [:]

    /// Takes files of a folder.
    mutating func take(_ paths: [String], of folder: String) throws {
      for path in paths {
        contents[path] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)"))
      }
    }

    func write(to folder: TemporaryFolder) throws {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/journal", withIntermediateDirectories: true)
      for (path, bytes) in contents {
        try bytes.write(to: URL(fileURLWithPath: "\(folder.path)/\(path)"))
      }
    }
  }

  private static let archive = ["archive.db", "archive.db-wal"]
  private static let source = Result { try makeData() }

  /// A data folder with a journal of several files, and an earlier copy of its archive.
  private static func makeData() throws -> (data: Files, oldArchive: Files) {
    let fixture = try StoreFixture(
      folder: TemporaryFolder(inMemory: true), games: games.games,
      options: StoreOptions(maxSegment: 65_536))
    let server = fixture.server
    // A match that goes on all the time, so that all files stay.
    let (zoe, _) = try server.players("zoe", "yan")
    var (data, old) = (Files(), Files())
    // The longest remark: 200 characters of 4 bytes.
    let remark = String(repeating: "🎲", count: ProtocolLimits.maxMessageLength)
    for round in 0..<5 {
      let (ann, bob) = try server.players("ann\(round)", "bob\(round)")
      for cell in ["0 0", "1 1", "0 1", "1 0"] {
        try ann.ask("place \(cell)")
        try bob.ask("place \(cell)")
      }
      for _ in 0..<55 {
        try zoe.ask("say \(remark)")
        server.clock.advance(by: .milliseconds(200))
        fixture.recovery.store.commit()
        fixture.worker.run()
      }
      if round < 3 {
        try ann.ask("resign")
        try bob.ask("leave")
      }
      fixture.settle()
      if round == 1 { try old.take(archive, of: fixture.folder.path) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.journalPath)
    try data.take(archive + names.map { "journal/\($0)" }, of: fixture.folder.path)
    return (data, old)
  }

  private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    body(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func apply(
    _ damage: Damage, to data: TemporaryFolder, _ oldArchive: Files,
    _ random: inout SeededGenerator
  ) throws {
    let journal = SegmentFolder(path: data.path + "/journal")
    let numbers = try journal.numbers()
    let chosen = numbers.shuffled(using: &random)
    let (one, other) = (chosen[0], chosen[1])
    let (first, second) = (journal.file(one), journal.file(other))
    let place = Double.random(in: 0..<1, using: &random)
    let files = FileManager.default
    switch damage {
    case .none: break
    case .missing: try journal.remove(one)
    case .missingTwo: for number in chosen.prefix(2) { try journal.remove(number) }
    case .cut: try change(first) { $0.removeLast(Int(Double($0.count) * place)) }
    case .emptied: try change(first) { $0 = [] }
    case .zeroed: try change(first) { $0 = Array(repeating: 0, count: $0.count) }
    case .garbage: try change(first) { $0 = Array(repeating: 0x58, count: $0.count) }
    case .flipped:
      try change(first) { $0[Int(Double($0.count) * place)] ^= 1 << UInt8(other % 8) }
    case .swapped:
      try files.moveItem(atPath: first, toPath: first + "x")
      try files.moveItem(atPath: second, toPath: first)
      try files.moveItem(atPath: first + "x", toPath: second)
    case .doubled:
      try files.copyItem(atPath: first, toPath: journal.file((numbers.last ?? 0) + other))
    case .overwritten:
      try files.removeItem(atPath: second)
      try files.copyItem(atPath: first, toPath: second)
    case .renamed: try files.moveItem(atPath: first, toPath: journal.file(one + 100))
    case .folder:
      try files.createDirectory(
        atPath: journal.file((numbers.last ?? 0) + one), withIntermediateDirectories: false)
    case .link:
      try files.createSymbolicLink(
        atPath: journal.file((numbers.last ?? 0) + one), withDestinationPath: "nowhere")
    case .strangers:
      for name in ["00000000.log", "+0000001.log", "1.log", "00000001.log.gz", "note.txt"] {
        try Data("x\n".utf8).write(to: URL(fileURLWithPath: "\(journal.path)/\(name)"))
      }
      try Data("x\n".utf8).write(to: URL(fileURLWithPath: journal.file(99_999_999)))
    case .oldArchive: try oldArchive.write(to: data)
    }
  }

  private func check(_ data: TemporaryFolder) throws {
    _ = try JournalCheck(
      folder: SegmentFolder(path: data.path + "/journal"), games: Self.games
    ).run()
  }

  /// Returns whether the repair has said what it has done.
  private func repair(_ data: TemporaryFolder) throws -> Bool {
    let result = try JournalRepair(try DataFolder(data.path), games: Self.games).run()
    return !result.notes.isEmpty || result.verdicts.contains { $0.loss != .none }
  }

  /// Starts, plays a match to its end, archives it, and stops.
  private func play(_ data: TemporaryFolder, _ names: (String, String), _ place: Comment) throws {
    let fixture = try StoreFixture(
      folder: data, games: Self.games.games, options: StoreOptions(maxSegment: 65_536))
    let recovery = fixture.recovery
    recovery.archive.onFailure = { Issue.record("\(place): the server would end: \($0)") }
    recovery.archive.onOutage = { Issue.record("\(place): \(String(describing: $0))") }
    recovery.store.onFailure = { Issue.record("\(place): the server would end: \($0)") }
    fixture.settle()
    let (ann, bob) = fixture.server.match(names.0, names.1)
    fixture.server.playFirstRow(ann, bob)
    ann.say("leave")
    fixture.settle()
    let archive = try Archive(in: data.path, .readOnly, with: try SQLite())
    let page = try archive.history(
      of: PlayerName.key(of: names.0), before: nil, now: 0)
    #expect(page.items.count == 1, place)
    recovery.store.stop()
  }

  @Test(arguments: Damage.allCases)
  func `what is good starts, and what is not can be repaired`(damage: Damage) throws {
    let (source, oldArchive) = try Self.source.get()
    try #require(source.contents.keys.count { $0.hasSuffix(".log") } >= 4)
    var random = SeededGenerator(seed: 1)
    for round in 0..<(damage == .none ? 1 : 6) {
      let data = TemporaryFolder(inMemory: true)
      try source.write(to: data)
      try apply(damage, to: data, oldArchive, &random)
      let place = Comment(rawValue: "\(damage), round \(round)")
      do {
        try check(data)
      } catch let found as JournalDamage {
        #expect(![.none, .oldArchive].contains(damage), place)
        let error = #expect(throws: StartError.self, place) {
          try play(data, ("eve", "fay"), place)
        }
        #expect(error?.sentence.contains(found.reason) == true, place)
        let says = try repair(data)
        // A damaged header, or chat, may be all that is lost.
        #expect(says || damage == .flipped, place)
        try check(data)
      }
      try play(data, ("gus", "hal"), place)
      try check(data)
      try play(data, ("ivy", "jim"), place)
      #expect(throws: Never.self, place) { try check(data) }
    }
  }

  @Test func `swapped and renamed files are put back, and nothing is lost`() throws {
    let data = TemporaryFolder(inMemory: true)
    try Self.source.get().data.write(to: data)
    let journal = SegmentFolder(path: data.path + "/journal")
    let whole = try journal.numbers().map { try journal.bytes(of: $0).count }
    try FileManager.default.moveItem(atPath: journal.file(2), toPath: journal.file(77))
    try FileManager.default.moveItem(atPath: journal.file(3), toPath: journal.file(2))
    try FileManager.default.copyItem(atPath: journal.file(1), toPath: journal.file(3))
    let result = try JournalRepair(try DataFolder(data.path), games: Self.games).run()
    #expect(
      result.notes == [
        "Left out 00000003.log: another file is the same segment.",
        "00000077.log is 00000002.log again.", "00000002.log is 00000003.log again.",
      ])
    #expect(result.verdicts.allSatisfy { $0.loss == .none })
    #expect(try journal.numbers().count == whole.count)
  }
}
