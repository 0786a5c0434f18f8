import Foundation
import Shared

/// Looks for damage in a data folder, and repairs it.
enum CheckTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let journal = try options.journal()
    // Also keeps a server from starting during a repair.
    let folder = options.repairs ? try DataFolder(options.data) : nil
    do {
      return StandardOutput.write(try check(journal))
    } catch let damage as JournalDamage {
      return try report(damage, in: journal, folder, options)
    }
  }

  private static func report(
    _ damage: JournalDamage, in journal: SegmentFolder, _ folder: DataFolder?,
    _ options: ToolOptions
  ) throws -> ExitCode {
    let place =
      "\(journal.file(damage.position.segment)), after \(damage.position.offset) bytes:"
      + " \(damage.reason)"
    guard let folder else {
      let command = "tictactoe-server check --repair --data \(ShellWord.quoted(options.data))"
      StandardOutput.printError(
        "The journal is damaged in \(place). To keep what is whole, stop the server and type:"
          + " \(command)")
      return .damaged
    }
    let written = StandardOutput.write("Damage in \(place).\n")
    let repaired = try repair(folder)
    return written == .ok ? StandardOutput.write(repaired) : written
  }

  /// Returns what was checked, in sentences.
  private static func check(_ journal: SegmentFolder) throws -> String {
    let progress = Progress("Checking", of: try size(of: journal))
    let summary = try JournalCheck(folder: journal, games: .server, onProgress: progress.add).run()
    return text(summary)
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

  private static func repair(_ folder: DataFolder) throws -> String {
    let progress = Progress("Repairing", of: 2 * (try size(of: folder.journal)))
    let (verdicts, damagedFiles) = try JournalRepair(
      folder, games: .server, onProgress: progress.add
    ).run()
    var text = ""
    for verdict in verdicts {
      let players = verdict.players.joined(separator: ", ")
      let name = "match \(verdict.match)\(players.isEmpty ? "" : " (\(players))")"
      let damage = verdict.damage.map {
        ": damaged in segment \($0.segment), after \($0.offset) bytes"
      }
      switch verdict.loss {
      case .none: break
      case .cut(let seq): text += "Cut \(name) after event \(seq)\(damage ?? "").\n"
      case .dropped: text += "Dropped \(name)\(damage ?? ": its beginning is lost").\n"
      }
    }
    let kept = verdicts.count { $0.loss == .none }
    let summary = try JournalCheck(folder: folder.journal, games: .server).run()
    return text + "Kept \(Count.of(kept, "whole match", "whole matches"))."
      + " The damaged files are in \(damagedFiles).\n" + Self.text(summary)
  }

  private static func size(of folder: SegmentFolder) throws -> Int {
    try folder.numbers().reduce(0) { sum, number in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(number))
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }
}

/// Numbers for people.
enum Count {
  /// Returns a number with commas: `1,234,567`.
  static func text(_ number: Int) -> String {
    var digits = Array(String(number))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }

  static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(text(number)) \(number == 1 ? one : many ?? one + "s")"
  }
}
