import Foundation
import Shared

/// Looks for damage in a data folder, and repairs it.
enum CheckTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    StandardOutput.write(try findings(in: options.data, repairs: options.repairs))
  }

  /// Checks a data folder, and repairs it if that is wanted. Returns what was found, for people.
  ///
  /// - Throws: a sentence for people if something is damaged that was not repaired; errors of the
  ///   system and of SQLite.
  static func findings(in path: String, repairs: Bool) throws -> String {
    try StoredData.checkIsThere(path)
    try BackupMark.checkIsNotHalf(path)
    let journal = SegmentFolder(path: "\(path)/journal")
    // Also keeps a server from starting during a repair.
    let folder = repairs ? try DataFolder(path, isForTool: true) : nil
    // A start converts an older archive only if the journal is whole, which it need not be here.
    if let folder, !Archive.isMissing(in: folder.path) {
      _ = try Archive(in: folder.path, with: try SQLite())
    }
    _ = try OperatorFile.read(in: path)
    var text = ""
    var begun = 0
    do {
      let lost = try checkArchive(path)
      if let folder, !lost.isEmpty {
        text += try removeLines(of: lost, in: folder)
      } else if let first = lost.first {
        throw damage("The lines of match \(first) in the archive are damaged.", path)
      }
      let (summary, isShort) = try read(StoredData(path), "Checking")
      try Archive.checkIsThere(in: path, begun: summary.begun)
      if isShort, folder == nil { throw shortJournal(journal) }
      text += try Self.text(summary, isShort, journal) + archiveText(path)
    } catch let found as JournalDamage {
      let place =
        "\(journal.file(found.position.segment)), after \(found.position.offset) bytes:"
        + " \(found.reason)."
      guard let folder else { throw damage("The journal is damaged in \(place)", path) }
      let repaired = try repair(folder)
      text += "Damage in \(place)\n" + repaired.text
      begun = repaired.summary.begun
    }
    if begun > 0, Archive.isMissing(in: path) {
      // A repair cannot bring it back.
      _ = StandardOutput.write(text)
      try Archive.checkIsThere(in: path, begun: begun)
    }
    return text
  }

  /// Reads a journal that must have all that the archive has taken from it.
  ///
  /// - Throws: `JournalDamage`, or a sentence for people if the journal is shorter than that.
  static func wholeJournal(_ data: StoredData, _ what: String) throws -> JournalSummary {
    let (summary, isShort) = try read(data, what)
    if isShort { throw shortJournal(data.journal) }
    return summary
  }

  /// Reads a journal, and returns whether it ends before what the archive has taken from it.
  private static func read(
    _ data: StoredData, _ what: String
  ) throws -> (summary: JournalSummary, isShort: Bool) {
    // A running server goes on with both, with the journal first.
    let taken = try data.archive?.position()
    let summary = try data.journal.summary(what)
    return (summary, taken.map { $0 > summary.end } ?? false)
  }

  private static func shortJournal(_ journal: SegmentFolder) -> StartError {
    StartError(
      code: .damaged,
      sentence: "\(isShort(journal)) Restore a backup, or start the server, which goes on with what"
        + " is there.")
  }

  private static func isShort(_ journal: SegmentFolder) -> String {
    "The journal \(journal.path) ends before what the archive has taken from it. Somebody has"
      + " removed or replaced its files, so matches have lost their last events, or are gone."
  }

  private static func damage(_ what: String, _ path: String) -> StartError {
    StartError(
      code: .damaged,
      sentence: "\(what) To keep what is whole, stop the server and type:"
        + " tictactoe-server check --repair --data \(ShellWord.quoted(path))")
  }

  /// Checks the pages of the archive. Returns the matches whose lines do not have their checksum.
  private static func checkArchive(_ path: String) throws -> [String] {
    guard let archive = try StoredData(path).archive else { return [] }
    var findings: [String] = []
    try archive.database.statement("PRAGMA integrity_check(1)").run { findings.append($0.text(0)) }
    if findings != ["ok"] {
      throw StartError(
        code: .damaged,
        sentence: "\(path)/\(Archive.fileName) is damaged"
          + " (\(Archive.reason(in: findings))). Restore a backup.")
    }
    let ids = try archive.matchIDs()
    let progress = Progress("Checking the archive", of: ids.count)
    return try ids.filter { id in
      progress.add(1)
      if case .damaged = try archive.stored(id) { return true }
      return false
    }
  }

  /// Removes damaged lines from the archive, after it was copied.
  private static func removeLines(of matches: [String], in folder: DataFolder) throws -> String {
    let archive = try Archive(in: folder.path, with: try SQLite())
    var number = 1
    func copy() -> String { "\(folder.path)/archive.damaged-\(number).db" }
    while FileManager.default.fileExists(atPath: copy()) { number += 1 }
    try archive.copy(to: copy())
    chmod(copy(), 0o600)
    try archive.database.transaction {
      for match in matches { try archive.removeLines(of: match) }
    }
    return matches.map { "Dropped the lines of match \($0); its results are kept.\n" }.joined()
      + "The damaged archive is in \(copy()).\n"
  }

  private static func text(
    _ summary: JournalSummary, _ isShort: Bool, _ journal: SegmentFolder
  ) -> String {
    var text =
      (isShort ? "\(Self.isShort(journal)) There are" : "No damage:")
      + " \(Count.of(summary.segments, "segment")), \(Count.of(summary.records, "record")),"
      + " \(Count.of(summary.matches, "match", "matches")) (\(Count.text(summary.liveMatches)) of"
      + " them still going on), \(Count.of(summary.bytes, "byte")).\n"
    if summary.torn > 0 {
      text +=
        "The last \(Count.of(summary.torn, "byte")) are no whole record: the server is writing it,"
        + " or was stopped while it did. The next start of a server cuts it off.\n"
    }
    return text
  }

  private static func repair(
    _ folder: DataFolder
  ) throws -> (text: String, summary: JournalSummary) {
    // All bytes are read three times.
    let progress = Progress("Repairing", of: 3 * (try folder.journal.size))
    let archive = try StoredData(folder.path).archive
    let archived = try archive?.archivedMatches() ?? ArchivedMatches()
    let (verdicts, damagedFiles, notes) = try JournalRepair(
      folder, games: .server, archived: archived, onProgress: progress.add
    ).run()
    var text = notes.map { "\($0)\n" }.joined()
    for verdict in verdicts {
      let players = verdict.players.joined(separator: ", ")
      let name = "match \(verdict.match)\(players.isEmpty ? "" : " (\(players))")"
      let damage = verdict.damage.map {
        ": damaged in segment \($0.segment), after \($0.offset) bytes"
      }
      switch verdict.loss {
      case .none: break
      case .cut(let seq): text += "Cut \(name) after event \(seq)\(damage ?? "").\n"
      case .dropped:
        let loss = verdict.players.isEmpty ? ": its beginning is lost" : ": its end is lost"
        text += "Dropped \(name)\(damage ?? loss)."
        text += try kept(verdict.match, archive, archived) + "\n"
      }
    }
    let kept = verdicts.count { $0.loss == .none }
    let (summary, isShort) = try read(StoredData(folder.path), "Checking")
    text +=
      "Kept \(Count.of(kept, "whole match", "whole matches"))."
      + " The damaged files are in \(damagedFiles).\n" + Self.text(summary, isShort, folder.journal)
    return (text, summary)
  }

  /// Tells what the archive has of a match that was dropped from the journal.
  private static func kept(
    _ match: String, _ archive: Archive?, _ archived: ArchivedMatches
  ) throws -> String {
    switch try archive?.stored(match) {
    case .whole: " It is over, and its lines are in the archive: nothing is lost."
    case .withoutLines, .damaged: " It is over, and its results are kept."
    case .absent, nil:
      archived.games[match].map { games in
        " \(games == 1 ? "The result" : "The results") of \(Count.of(games, "finished game"))"
          + " \(games == 1 ? "is" : "are") kept."
      } ?? ""
    }
  }

  private static func archiveText(_ path: String) throws -> String {
    guard let archive = try StoredData(path).archive else { return "" }
    let matches = try archive.number("SELECT count(*) FROM matches")
    let games = try archive.number("SELECT count(*) FROM games")
    return "The archive is whole too: \(Count.of(matches, "match", "matches")) and"
      + " \(Count.of(games, "game")).\n"
  }
}

extension SegmentFolder {
  /// The size of all segments in bytes.
  var size: Int {
    get throws {
      try numbers().reduce(0) { sum, number in
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(number))
        return sum + (attributes?[.size] as? Int ?? 0)
      }
    }
  }

  /// Checks the journal and shows the progress. `what` is what the tool does.
  ///
  /// - Throws: `JournalDamage`; errors of the system.
  func summary(_ what: String) throws -> JournalSummary {
    let progress = Progress(what, of: try size)
    return try JournalCheck(folder: self, games: .server, onProgress: progress.add).run()
  }
}
