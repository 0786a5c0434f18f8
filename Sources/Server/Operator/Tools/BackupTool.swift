import Foundation
import Shared

/// Copies the data of a server, which may run.
///
/// The archive is copied before the journal, so the copied journal has everything that the copied
/// archive lacks. If the server removes a segment in between, the copied archive lacks its records,
/// and the copy begins again. The copied journal may have ids of accounts that were registered in
/// between, so the copied archive never gives out these ids.
///
/// A journal that is damaged is not copied: the copy would end before the damage, and nothing would
/// show that more is missing. Nor is a journal without its archive.
enum BackupTool {
  private static let attempts = 5
  /// A file in the data folder that was changed when the last backup was made.
  static let stamp = "last-backup"

  /// Returns when the last backup of a data folder was made; `nil` if there was none.
  static func lastBackup(of folder: String) -> Date? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(stamp)")
    return attributes?[.modificationDate] as? Date
  }

  static func run(_ options: ToolOptions) throws -> ExitCode {
    if let engine = options.engine { return try run(options, engine) }
    let (target, data) = (options.operand ?? "", try StoredData(options.data))
    try checkIsOutside(target, data.path)
    try BackupMark.checkIsNotHalf(data.path)
    // What is cut short here would be so in the copy.
    let summary = try CheckTool.wholeJournal(data, "Checking")
    try Archive.checkIsThere(in: data.path, begun: summary.begun)
    var bytes = 0
    let (path, removed) = try make(options) { bytes = try copyUntilWhole(data, to: $0) }
    // Only for the metrics: a copy of a folder that cannot be written is good too.
    try? Data("\(path)\n".utf8).write(to: URL(fileURLWithPath: "\(data.path)/\(stamp)"))
    return StandardOutput.write(
      "Copied \(Count.of(bytes, "byte")) from \(data.path) to \(path). To use the copy, type:"
        + " \(wayBack(from: path, options))\n" + text(removed))
  }

  /// The command that puts the copy in place of the data from which it was made.
  static func wayBack(from path: String, _ options: ToolOptions) -> String {
    "tictactoe-server restore \(ShellWord.quoted(path))\(options.location)"
  }

  /// Copies what the nodes of a cluster have in common, except for the matches.
  private static func run(_ options: ToolOptions, _ engine: RedisAddress) throws -> ExitCode {
    let reader = try RedisReader(engine)
    var report = ClusterBackup.Report()
    let (path, removed) = try make(options) { target in
      report = try ClusterBackup.copy(from: reader, to: target)
    }
    try ClusterBackup.note(at: Date(), in: reader)
    for sentence in report.damaged { ErrorOutput.ofProcess.write(sentence, .warning) }
    let written = StandardOutput.write(
      "Copied \(report.text) from \(engine) to \(path). To put the copy into an empty engine, type:"
        + " tictactoe-server restore \(ShellWord.quoted(path)) --cluster URL\n" + text(removed))
    return report.damaged.isEmpty ? written : .damaged
  }

  private static func text(_ removed: [String]) -> String {
    removed.isEmpty ? "" : "Removed older backups: \(removed.joined(separator: ", ")).\n"
  }

  /// Makes a backup, and removes the oldest ones if that is wanted.
  ///
  /// - Returns: where it is, and the names of those that were removed.
  private static func make(
    _ options: ToolOptions, _ copy: (_ target: String) throws -> Void
  ) throws -> (path: String, removed: [String]) {
    let target = options.operand ?? ""
    if let count = options.keep {
      return try BackupFolder(target).add(keeping: count, at: Date(), copy)
    }
    try prepare(target)
    do {
      try copy(target)
      let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
      try NewFile.synchronize(parent)
    } catch {
      // Half a copy is of no use.
      try? removeContents(of: target)
      throw error
    }
    return (target, [])
  }

  private static func copyUntilWhole(_ data: StoredData, to target: String) throws -> Int {
    for _ in 0..<attempts {
      do {
        return try copy(data, to: target)
      } catch CocoaError.fileReadNoSuchFile {
        try removeContents(of: target)
      }
    }
    throw StartError(
      code: .ioError,
      sentence: "The server has removed files while they were copied. Try again.")
  }

  /// Checks that the copy does not become a part of what is copied.
  ///
  /// - Throws: if it would.
  static func checkIsOutside(_ target: String, _ data: String) throws(StartError) {
    // Symbolic links are resolved as far as there is something.
    var url = URL(fileURLWithPath: target).standardizedFileURL
    while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
      url.deleteLastPathComponent()
    }
    let (place, folder) = (url.path.realPath ?? url.path, data.realPath ?? data)
    guard place == folder || place.hasPrefix("\(folder)/") else { return }
    throw StartError(
      code: .usage,
      sentence: "\(target) is in the data folder \(data). Name a folder outside of it.")
  }

  private static func prepare(_ target: String) throws(StartError) {
    do {
      try NewFolder.make(target)
      if try FileManager.default.contentsOfDirectory(atPath: target).isEmpty { return }
    } catch {
      throw StartError(
        code: .cannotCreate,
        sentence: "The folder \(target) cannot be made: \(reason(of: error))."
          + DiskRoom.inodeSentence((error as? SystemError)?.code, target))
    }
    throw StartError(
      code: .cannotCreate, sentence: "The folder \(target) is not empty. Name another one.")
  }

  private static func reason(of error: any Error) -> String {
    (error as? SystemError)?.reason ?? StandardOutput.reason(of: error)
  }

  private static func removeContents(of target: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: target) {
      try FileManager.default.removeItem(atPath: "\(target)/\(name)")
    }
  }

  /// Returns the number of bytes.
  ///
  /// `whileCopying` is called between the archive and the journal, for tests.
  static func copy(
    _ data: StoredData, to target: String, whileCopying: () throws -> Void = {}
  ) throws -> Int {
    try BackupMark().write(in: target)
    // Segments that the archive may need. One that goes now is missed below.
    let needed = try data.journal.numbers()
    let database = "\(target)/\(Archive.fileName)"
    try data.archive?.copy(to: database)
    try whileCopying()
    var bytes = try copyJournal(data, needed, to: target)
    if let archive = data.archive {
      chmod(database, 0o600)
      // Opening it keeps what a copy by SQLite does not: that it has a log.
      try Archive(in: target, with: try SQLite()).reserveAccounts(of: archive)
      try NewFile.synchronize(database)
      let attributes = try FileManager.default.attributesOfItem(atPath: database)
      bytes += attributes[.size] as? Int ?? 0
    }
    bytes += try copyDecisions(data.path, to: target)
    try BackupMark(isWhole: true).write(in: target)
    return bytes
  }

  /// Copies the file of the operator's decisions, which the server replaces as a whole.
  private static func copyDecisions(_ data: String, to target: String) throws -> Int {
    let path = "\(data)/\(OperatorFile.name)"
    // Without a decision there is no file.
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try NewFile.write(Array(bytes), to: "\(target)/\(OperatorFile.name)")
    return bytes.count
  }

  private static func copyJournal(
    _ data: StoredData, _ needed: [Int], to target: String
  ) throws -> Int {
    var bytes = 0
    let journal = SegmentFolder(path: "\(target)/journal")
    try journal.create()
    let numbers = Set(needed).union(try data.journal.numbers()).sorted()
    let progress = Progress("Copying", of: numbers.count)
    let parser = RecordParser()
    for number in numbers {
      progress.add(1)
      var copy = try Data(contentsOf: URL(fileURLWithPath: data.journal.file(number)))
      if number == numbers.last {
        // The server may be writing at its end.
        copy = copy.prefix(copy.withUnsafeBytes { parser.endOfWholeRecords(in: $0) })
      }
      try NewFile.write(Array(copy), to: journal.file(number))
      bytes += copy.count
    }
    try journal.synchronize()
    return bytes
  }
}
