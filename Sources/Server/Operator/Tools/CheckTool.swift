import Foundation
import Shared

/// Looks for damage in a data folder, and repairs it.
enum CheckTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let journal = try options.journal()
    // Also keeps a server from starting during a repair.
    let folder = options.repairs ? try DataFolder(options.data, isForTool: true) : nil
    // A start converts an older archive only if the journal is whole, which it need not be here.
    if let folder, !Archive.isMissing(in: folder.path) {
      _ = try Archive(in: folder.path, with: try SQLite())
    }
    _ = try OperatorFile.read(in: options.data)
    var text = ""
    var begun = 0
    do {
      let lost = try checkArchive(options)
      if let folder, !lost.isEmpty {
        text += try removeLines(of: lost, in: folder)
      } else if let first = lost.first {
        throw damage("The lines of match \(first) in the archive are damaged.", options)
      }
      let summary = try journal.summary("Checking")
      try Archive.checkIsThere(in: options.data, begun: summary.begun)
      text += try Self.text(summary) + archiveText(options)
    } catch let found as JournalDamage {
      let place =
        "\(journal.file(found.position.segment)), after \(found.position.offset) bytes:"
        + " \(found.reason)."
      guard let folder else { throw damage("The journal is damaged in \(place)", options) }
      let repaired = try repair(folder)
      text += "Damage in \(place)\n" + repaired.text
      begun = repaired.summary.begun
    }
    let code = StandardOutput.write(text)
    // A repair cannot bring it back.
    try Archive.checkIsThere(in: options.data, begun: begun)
    return code
  }

  private static func damage(_ what: String, _ options: ToolOptions) -> StartError {
    StartError(
      code: .damaged,
      sentence: "\(what) To keep what is whole, stop the server and type:"
        + " tictactoe-server check --repair --data \(ShellWord.quoted(options.data))")
  }

  /// Checks the pages of the archive. Returns the matches whose lines do not have their checksum.
  private static func checkArchive(_ options: ToolOptions) throws -> [String] {
    guard let archive = try StoredData(options.data).archive else { return [] }
    var findings: [String] = []
    try archive.database.statement("PRAGMA integrity_check(1)").run { findings.append($0.text(0)) }
    if findings != ["ok"] {
      throw StartError(
        code: .damaged,
        sentence: "\(options.data)/\(Archive.fileName) is damaged"
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

  private static func text(_ summary: JournalSummary) -> String {
    var text =
      "No damage: \(Count.of(summary.segments, "segment")), \(Count.of(summary.records, "record")),"
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
    let archived = Set(try archive?.matchIDs() ?? [])
    let (verdicts, damagedFiles, notes) = try JournalRepair(
      folder, games: .server, isArchived: archived.contains, onProgress: progress.add
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
        text += "Dropped \(name)\(damage ?? ": its beginning is lost")."
        text += try kept(verdict.match, archive) + "\n"
      }
    }
    let kept = verdicts.count { $0.loss == .none }
    let summary = try folder.journal.summary("Checking")
    text +=
      "Kept \(Count.of(kept, "whole match", "whole matches"))."
      + " The damaged files are in \(damagedFiles).\n" + Self.text(summary)
    return (text, summary)
  }

  /// Tells what the archive has of a match that was dropped from the journal.
  private static func kept(_ match: String, _ archive: Archive?) throws -> String {
    switch try archive?.stored(match) {
    case .whole: " It is over, and its lines are in the archive: nothing is lost."
    case .withoutLines, .damaged: " It is over, and its results are kept."
    case .absent, nil: ""
    }
  }

  private static func archiveText(_ options: ToolOptions) throws -> String {
    guard let archive = try StoredData(options.data).archive else { return "" }
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
