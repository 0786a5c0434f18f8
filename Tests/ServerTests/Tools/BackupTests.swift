import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// Backups as a routine, and the way back.
@Suite struct BackupTests {
  private let fixture: StoreFixture
  private let backups = TemporaryFolder()
  private var data: String { fixture.folder.path }

  init() throws {
    fixture = try StoreFixture(games: GameRegistry.server.games)
  }

  private func names(in path: String? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path ?? backups.path).sorted()
  }

  /// Plays a match to its end, and leaves another one that goes on.
  private func play() {
    for (one, other, isFinished) in [("ann", "bob", true), ("cat", "dan", false)] {
      let (x, _) = fixture.server.match(one, other)
      x.sendOnly("place 1 1")
      if isFinished { x.sendOnly("leave") }
      fixture.server.network.run()
    }
    fixture.settle()
  }

  private func keep(_ count: Int, at seconds: Int) throws -> [String] {
    let data = try StoredData(data)
    return try BackupFolder(backups.path).add(
      keeping: count, at: Date(timeIntervalSince1970: TimeInterval(seconds))
    ) { _ = try BackupTool.copy(data, to: $0) }.removed
  }

  @Test func `the oldest backups go when the new one is there, and nothing else does`() throws {
    play()
    let strangers = ["2020-01-01T000000Z", "notes", ".hidden", "1970-01-01T000000Z.gz"]
    for name in strangers {
      try FileManager.default.createDirectory(
        atPath: "\(backups.path)/\(name)", withIntermediateDirectories: false)
    }
    for day in 1...4 { #expect(try keep(3, at: day).isEmpty == (day < 4)) }
    #expect(
      try BackupFolder(backups.path).backups
        == ["1970-01-01T000002Z", "1970-01-01T000003Z", "1970-01-01T000004Z"])
    #expect(try Set(names()).isSuperset(of: strangers))
    // Half a copy, one that a process died over, and one that somebody uses, are none.
    let half = "\(backups.path)/1970-01-01T000002Z"
    try BackupMark().write(in: half)
    let left = "\(backups.path)/.1970-01-01T000009Z.part"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    let used = try DataFolder("\(backups.path)/1970-01-01T000003Z", isForTool: true)
    #expect(try keep(1, at: 5) == ["1970-01-01T000004Z"])
    #expect(FileManager.default.fileExists(atPath: half))
    #expect(FileManager.default.fileExists(atPath: used.path))
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test func `a new backup is kept although the clock was set back, and each has its name`() throws
  {
    for _ in 0..<2 { #expect(try keep(5, at: 100).isEmpty) }
    #expect(try keep(2, at: 50) == ["1970-01-01T000140Z"])
    #expect(
      try BackupFolder(backups.path).backups == ["1970-01-01T000050Z", "1970-01-01T000140Z-2"])
  }

  @Test func `a backup that fails removes nothing, and leaves nothing`() throws {
    #expect(try keep(1, at: 1).isEmpty)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try BackupFolder(backups.path).add(keeping: 1, at: Date()) { target in
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(target)/archive.db"))
        throw Failure()
      }
    }
    #expect(try names() == ["1970-01-01T000001Z"])
    // Nor does a second one at the same time.
    let first = try BackupFolder(backups.path)
    let error = #expect(throws: StartError.self) { try BackupFolder(first.path) }
    #expect(error?.code == .unavailable)
  }

  @Test func `what is restored is the backup, and what was there is kept beside`() throws {
    play()
    let backup = "\(backups.path)/one"
    #expect(try Tool.backup.run([backup, "--data", data]) == .ok)
    #expect(try BackupMark.read(in: backup) == BackupMark(isWhole: true))
    // Other data, with what belongs to the machine.
    let target = TemporaryFolder()
    _ = try Archive(in: target.path, with: try SQLite())
    for name in ["last-good.conf", "last-backup", "other"] {
      try Data("x\n".utf8).write(to: URL(fileURLWithPath: "\(target.path)/\(name)"))
    }
    let link = "\(backups.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target.path)
    #expect(try Tool.restore.run([backup, "--data", link]) == .ok)
    #expect(
      try names(in: target.path) == ["archive.db", "journal", "last-backup", "last-good.conf"])
    let parent = URL(fileURLWithPath: target.path).deletingLastPathComponent().path
    let prefix = URL(fileURLWithPath: target.path).lastPathComponent + ".replaced-"
    let replaced = try #require(try names(in: parent).first { $0.hasPrefix(prefix) })
    #expect(FileManager.default.fileExists(atPath: "\(parent)/\(replaced)/other"))
    try FileManager.default.removeItem(atPath: "\(parent)/\(replaced)")
    #expect(try Tool.check.run(["--data", target.path]) == .ok)
    let next = try StoreFixture(folder: target, games: GameRegistry.server.games)
    #expect(next.recovery.matches.count == 1)
  }

  @Test func `the command that backup names has the option with which it found the data`() throws {
    let file = "\(backups.path)/own file.conf"
    try Data("data = \(data)\n".utf8).write(to: URL(fileURLWithPath: file))
    for (words, location) in [
      (["--config", file], " --config '\(file)'"), (["--data", data], " --data \(data)"),
    ] {
      let options = try #require(try ToolOptions(.backup, ["copy"] + words, environment: [:]))
      #expect(
        BackupTool.wayBack(from: "copy", options) == "tictactoe-server restore copy\(location)")
      #expect(try ToolOptions(.restore, ["copy"] + words, environment: [:])?.data == data)
    }
  }

  @Test func `a restore makes no folder that nobody has named`() throws {
    let state = "\(backups.path)/state"
    let environment = ["STATE_DIRECTORY": state]
    let error = #expect(throws: UsageError.self) {
      try ToolOptions(.restore, ["copy"], environment: environment)
    }
    #expect(error?.message.contains("\(state), does not exist") == true)
    // Named, or there.
    let named = environment.merging(["TICTACTOE_DATA": data]) { $1 }
    #expect(try ToolOptions(.restore, ["copy"], environment: named)?.data == data)
    let words = ["copy", "--config", "none"]
    #expect(try ToolOptions(.restore, words, environment: environment)?.data == state)
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    #expect(try ToolOptions(.restore, ["copy"], environment: environment)?.data == state)
  }

  @Test func `a link that leads nowhere gets the folder that it names`() throws {
    play()
    let backup = "\(backups.path)/one"
    #expect(try Tool.backup.run([backup, "--data", data]) == .ok)
    let link = "\(backups.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "below/data")
    #expect(try Tool.restore.run([backup, "--data", link]) == .ok)
    #expect(try names() == ["below", "link", "one"])
    #expect(try names(in: link) == ["archive.db", "journal"])
    // One that leads to itself, and leaves nothing behind.
    let loop = "\(backups.path)/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
    #expect(try Tool.restore.run([backup, "--data", loop]) == .ioError)
    #expect(try names() == ["below", "link", "loop", "one"])
  }

  @Test func `a server does not start on half a backup, and its data is no backup any more`() throws
  {
    play()
    let backup = "\(backups.path)/one"
    #expect(try Tool.backup.run([backup, "--data", data]) == .ok)
    try BackupMark().write(in: backup)
    let error = #expect(throws: StartError.self) { try DataFolder(backup) }
    #expect(error?.code == .damaged && error?.sentence.contains("broken off") == true)
    for tool in [Tool.check, .restore] {
      let words = tool == .check ? ["--data", backup] : [backup, "--data", "\(backups.path)/new"]
      #expect(try tool.run(words) == .damaged)
    }
    try BackupMark(isWhole: true).write(in: backup)
    _ = try DataFolder(backup)
    #expect(try BackupMark.read(in: backup) == nil)
  }

  @Test func `a backup that is damaged, missing or in use replaces nothing`() throws {
    play()
    let backup = "\(backups.path)/one"
    #expect(try Tool.backup.run([backup, "--data", data]) == .ok)
    let target = "\(backups.path)/data"
    func restore(_ words: String...) throws -> ExitCode {
      try Tool.restore.run(words + ["--data", target])
    }
    #expect(try restore("\(backups.path)/none") == .noInput)
    #expect(try restore(backups.path) == .noInput)
    #expect(try restore("/dev/null") == .noInput)
    // Into itself, or over what has it.
    #expect(try Tool.restore.run([backup, "--data", backup]) == .usage)
    #expect(try Tool.restore.run([backup, "--data", "\(backup)/below"]) == .usage)
    #expect(try Tool.restore.run([backup, "--data", backups.path]) == .usage)
    let file = SegmentFolder(path: "\(backup)/journal").file(1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var damaged = bytes
    damaged[100] ^= 1
    try damaged.write(to: URL(fileURLWithPath: file))
    #expect(try restore(backup) == .damaged)
    #expect(try names() == ["one"])
    // Shorter than what its archive has taken.
    try FileManager.default.removeItem(atPath: "\(backup)/journal")
    #expect(try restore(backup) == .damaged)
    #expect(try names() == ["one"])
    try FileManager.default.createDirectory(
      atPath: "\(backup)/journal", withIntermediateDirectories: false)
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try restore(backup) == .ok)
    // A server runs there.
    let running = try DataFolder(target)
    #expect(try restore(backup) == .unavailable)
    withExtendedLifetime(running) {}
  }

  @Test func `a journal that was cut shorter than what the archive has taken is damage`() throws {
    play()
    fixture.recovery.store.stop()
    let file = SegmentFolder(path: fixture.journalPath).file(1)
    let text = String(decoding: try fixture.journal, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(try Tool.check.run(["--data", data]) == .ok)
    try Data((lines.prefix(4).joined(separator: "\n") + "\n").utf8)
      .write(to: URL(fileURLWithPath: file))
    for tool in [Tool.check, .verify] { #expect(try tool.run(["--data", data]) == .damaged) }
    #expect(try Tool.backup.run(["\(backups.path)/one", "--data", data]) == .damaged)
    let sentences = #expect(throws: StartError.self) {
      try CheckTool.findings(in: data, repairs: false)
    }
    #expect(sentences?.sentence.contains("ends before what the archive has taken") == true)
  }

  @Test func `the commands want one place, and a number that can be kept`() throws {
    for words in [
      ["x", "--keep", "0"], ["x", "--keep", "many"], ["x", "--keep", "10001"],
      ["x", "--data", "y", "--cluster", "redis://a"], [],
    ] {
      #expect(throws: UsageError.self) { try ToolOptions(.backup, words) }
    }
    #expect(throws: UsageError.self) { try ToolOptions(.restore, ["x", "--keep", "3"]) }
    let options = try ToolOptions(.backup, ["x", "--keep", "7", "--cluster", "redis://a"])
    #expect(options?.keep == 7 && options?.engine != nil)
    let file = "\(backups.path)/node.conf"
    try Data("cluster = redis://10.0.0.1\nnode = north\n".utf8)
      .write(to: URL(fileURLWithPath: file))
    // On a host of a cluster both mean the engine, unless a folder is named.
    for tool in [Tool.backup, .restore] {
      #expect(
        try ToolOptions(tool, ["x", "--config", file])?.engine?.description
          == "redis://10.0.0.1:6379")
      #expect(try ToolOptions(tool, ["x", "--config", file, "--data", "y"])?.engine == nil)
    }
  }
}
