import Foundation
import Shared

/// Puts a backup in place of the data of a server that does not run, or into the empty engine of a
/// cluster.
///
/// The backup is copied beside the data folder and checked there, and then both folders take each
/// other's names. So the data is the old or the new one at any time, also after a power failure.
enum RestoreTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let backup = options.operand ?? ""
    try checkIsBackup(backup)
    if let engine = options.engine { return try run(backup, engine) }
    // The folder itself, if the path is a link, as that of a unit with `DynamicUser=` is.
    let present = folder(at: options.data)
    try BackupTool.checkIsOutside(backup, present)
    try BackupTool.checkIsOutside(present, backup)
    let (text, replaced) = try restore(backup, to: present, at: Date())
    let time = try timeToReturn(to: present)
    return StandardOutput.write(
      "Restored \(backup) to \(options.data). \(text)"
        + (replaced.map { "What was there is in \($0).\n" } ?? "")
        + time)
  }

  /// Says how long the players of the restored matches have to come back; empty without matches.
  private static func timeToReturn(to folder: String) throws -> String {
    let live = try SegmentFolder(path: "\(folder)/journal").summary("Reading").liveMatches
    guard live > 0 else { return "" }
    return "The players of \(Count.of(live, "match", "matches")) have the time of resume-within (60"
      + " s by default) to come back, from the start of the server. A player who does not loses the"
      + " game. To give them longer, start it with: --resume-within 1h\n"
  }

  /// Returns the folder that a path means: the target of a link, although there may be none yet.
  private static func folder(at path: String) -> String {
    var url = URL(fileURLWithPath: path).standardizedFileURL
    // As many links as the kernel follows.
    for _ in 0..<40 {
      if let folder = url.path.realPath { return folder }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
      else { break }
      let parent = url.deletingLastPathComponent().path
      let base = URL(fileURLWithPath: parent.realPath ?? parent)
      url = URL(fileURLWithPath: target, relativeTo: base).standardizedFileURL
    }
    return url.path
  }

  /// - Throws: if there is no backup, or one that is not complete, or a server uses the folder.
  private static func checkIsBackup(_ path: String) throws {
    do throws(StartError) {
      try StoredData.checkIsThere(path)
    } catch {
      var sentence = "There is no backup in \(path)."
      if access(path, F_OK) != 0 { sentence = "There is no folder \(path)." }
      if let newest = BackupFolder.newest(in: path) {
        sentence = "\(path) is a folder of backups. The newest one is \(newest)."
      }
      throw StartError(code: .noInput, sentence: sentence)
    }
    try BackupMark.checkIsNotHalf(path)
    try DataFolder.checkIsUnused(path)
  }

  /// Returns what was found in the backup, for people, and where the replaced folder is; `nil` if
  /// there was none.
  static func restore(
    _ backup: String, to present: String, at time: Date
  ) throws -> (text: String, replaced: String?) {
    let parent = URL(fileURLWithPath: present).deletingLastPathComponent().path
    let isThere = access(present, F_OK) == 0
    // Keeps a server from starting meanwhile, and another restore.
    let lock = isThere ? try DataFolder(present, isForTool: true) : nil
    defer { withExtendedLifetime(lock) {} }
    if isThere, FileIdentity(present)?.device != FileIdentity(parent)?.device {
      throw StartError(
        code: .cannotCreate,
        sentence:
          "\(present) is a file system of its own, so no other folder can take its name. Copy"
          + " the backup to another folder, and start the server with --data FOLDER.")
    }
    let copy = "\(present).restoring"
    if access(copy, F_OK) == 0 { try FileManager.default.removeItem(atPath: copy) }
    let text: String
    do {
      try NewFolder.make(copy)
      try copyData(of: backup, to: copy)
      text = try check(copy, of: backup)
      if isThere { try keepOwnFiles(of: present, in: copy) }
      try FolderCopy.synchronize(copy)
      if !isThere { _ = try systemCall("rename") { rename(copy, present) } }
    } catch {
      try? FileManager.default.removeItem(atPath: copy)
      throw error
    }
    guard isThere else {
      try NewFile.synchronize(parent)
      return (text, nil)
    }
    let replaced = freeName("\(present).replaced-\(BackupFolder.name(at: time))")
    _ = try systemCall("rename") { rename(copy, replaced) }
    try FolderExchange.exchange(present, replaced)
    return (text, replaced)
  }

  private static func copyData(of backup: String, to copy: String) throws {
    // With the log, which the folder of a server that was killed has.
    for name in [Archive.fileName, "\(Archive.fileName)-wal", OperatorFile.name]
    where access("\(backup)/\(name)", F_OK) == 0 {
      try FolderCopy.copy("\(backup)/\(name)", to: "\(copy)/\(name)")
    }
    let (source, target) = (
      SegmentFolder(path: "\(backup)/journal"), SegmentFolder(path: "\(copy)/journal")
    )
    let numbers = try source.checkedNumbers()
    let progress = Progress("Copying", of: numbers.count)
    try target.create()
    for number in numbers {
      progress.add(1)
      try FolderCopy.copy(source.file(number), to: target.file(number))
    }
    try target.synchronize()
  }

  /// Checks the copy as `check` does, after an archive of an older version was converted.
  private static func check(_ copy: String, of backup: String) throws -> String {
    do {
      if !Archive.isMissing(in: copy) { _ = try Archive(in: copy, with: try SQLite()) }
      let text = try CheckTool.findings(in: copy, repairs: false)
      // Who only reads leaves SQLite's other files.
      if !Archive.isMissing(in: copy) { _ = try Archive(in: copy, with: try SQLite()) }
      return text
    } catch let error as StartError where error.code == .damaged {
      // The copy goes, so the sentence should name what stays.
      let sentence = error.sentence.replacing(copy, with: backup)
      throw StartError(code: error.code, sentence: "\(sentence) Nothing has changed.")
    }
  }

  /// Keeps what is of this machine, and not of the data. The files belong to the user who has had
  /// the data.
  private static func keepOwnFiles(of present: String, in copy: String) throws {
    for name in [BackupTool.stamp, ServerConfiguration.lastGoodName]
    where access("\(present)/\(name)", F_OK) == 0 {
      try FolderCopy.copy("\(present)/\(name)", to: "\(copy)/\(name)")
    }
    try FolderCopy.giveOwner(of: present, to: copy)
  }

  private static func freeName(_ base: String) -> String {
    var (name, number) = (base, 1)
    while access(name, F_OK) == 0 {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  private static func run(_ backup: String, _ engine: RedisAddress) throws -> ExitCode {
    let found = try CheckTool.findings(in: backup, repairs: false)
    let data = try StoredData(backup)
    guard let archive = data.archive else {
      throw StartError(
        code: .noInput, sentence: "There are no accounts and results in \(backup).")
    }
    let live = try data.journal.summary("Reading").liveMatches
    let decisions = try OperatorFile.read(in: backup)
    let lives = try BackupMark.read(in: backup)?.lives ?? 0
    let reader = try RedisReader(engine)
    var restore = ClusterRestore(archive, to: reader, at: engine)
    let report = try restore.run(decisions, lives: lives, at: Date())
    return StandardOutput.write(
      "\(found)Restored \(report.text) into \(engine). Start the nodes.\n"
        + (live > 0
          ? "\(Count.of(live, "match", "matches")) that went on in the backup"
            + " \(live == 1 ? "is" : "are") not in the engine.\n" : ""))
  }
}
