import Foundation
import Shared

/// Copies the finished matches of a cluster from its engine into an archive, before the engine
/// forgets them. A match that the archive has is not copied again, so the tool can be run again and
/// again.
enum ArchiveTool {
  /// How many keys the engine looks at in one step.
  static let scanCount = 1_000
  /// How many matches are read at a time, and written in one transaction.
  static let batch = 100

  /// What a run has copied.
  struct Report: Equatable {
    var matches = 0
    var games = 0
    /// Each with a reason for people.
    var damaged: [String] = []
  }

  static func run(_ options: ToolOptions) throws -> ExitCode {
    guard let engine = options.engine else { return .usage }
    try checkIsNoServer(options)
    if options.follows { return try ArchiveFollower.run(options, engine) }
    let reader = try RedisReader(engine)
    // One run at a time.
    let folder = try DataFolder(options.data, isForTool: true)
    let archive = try Archive(in: folder.path, with: try SQLite())
    let report = try copy(from: reader, to: archive)
    _ = try reader.reply(to: "SET", RedisKey.lastArchive, String(Date().milliseconds))
    for sentence in report.damaged { ErrorOutput.ofProcess.write(sentence, .warning) }
    let written = StandardOutput.write(
      "Copied \(Count.of(report.matches, "match", "matches")) with"
        + " \(Count.of(report.games, "game")) from \(engine) to \(options.data), which now has"
        + " \(Count.of(try archive.number("SELECT count(*) FROM matches"), "match", "matches")).\n")
    return report.damaged.isEmpty ? written : .damaged
  }

  private static func checkIsNoServer(_ options: ToolOptions) throws {
    guard !FileManager.default.fileExists(atPath: "\(options.data)/journal") else {
      throw StartError(
        code: .usage,
        sentence: "\(options.data) is the data folder of a server. Name a folder that only has the"
          + " archive of the cluster.")
    }
  }

  static func copy(from reader: RedisReader, to archive: Archive) throws -> Report {
    let finished = try finishedMatches(reader, missingIn: archive)
    let progress = Progress("Copying", of: finished.count)
    var report = Report()
    for start in stride(from: 0, to: finished.count, by: batch) {
      let part = finished[start..<min(start + batch, finished.count)]
      try copy(part, from: reader, to: archive, &report)
      progress.add(part.count)
    }
    try archive.reserveAccountsOfGames()
    try archive.synchronize()
    return report
  }

  /// Returns the matches that have ended, with the times at which they did, in this order. The
  /// engine forgets a match some time after the results of its games are written. When it will,
  /// shows when that was; those that wait for a follower have the time themselves.
  /// Without an archive it returns all of them.
  static func finishedMatches(
    _ reader: RedisReader, missingIn archive: Archive?
  ) throws -> [(id: String, ended: Int)] {
    let prefix = RedisKey.stream("")
    let progress = Progress("Looking for finished matches")
    var finished: [String: Int] = [:]
    try reader.forEachKeys(matching: "\(prefix)*", count: scanCount) { keys in
      let missing = try keys.map { String($0.dropFirst(prefix.count)) }.filter {
        try finished[$0] == nil && archive?.contains($0) != true
      }
      var commands = RedisCommands()
      for match in missing { commands.add("PEXPIRETIME", RedisKey.stream(match)) }
      guard !missing.isEmpty else { return }
      // It is negative for a match that goes on, and for one that is gone.
      for (match, time) in zip(missing, try reader.replies(to: commands)) {
        guard let time = time.number, time > 0 else { continue }
        finished[match] = time - RedisScript.finishedStreamTime.milliseconds
      }
      progress.add(keys.count)
    }
    for match in try waitingMatches(reader, count: .max)
    where try archive?.contains(match.id) != true {
      finished[match.id] = match.ended
    }
    return finished.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
  }

  /// Returns the first matches that wait for a follower, with the times at which they ended.
  static func waitingMatches(
    _ reader: RedisReader, count: Int
  ) throws -> [(id: String, ended: Int)] {
    let last = count == .max ? -1 : count - 1
    let words =
      try reader.reply(
        to: "ZRANGE", RedisKey.finished, "0", "\(last)", "WITHSCORES"
      ).elements?.map { $0.text ?? "" } ?? []
    return stride(from: 0, to: words.count - 1, by: 2).map {
      (words[$0], Int(Double(words[$0 + 1]) ?? 0))
    }
  }

  private static func copy(
    _ matches: ArraySlice<(id: String, ended: Int)>, from reader: RedisReader,
    to archive: Archive, _ report: inout Report
  ) throws {
    var commands = RedisCommands()
    for match in matches { commands.add("XRANGE", RedisKey.stream(match.id), "-", "+") }
    let streams = try reader.replies(to: commands).map { $0.elements ?? [] }
    var found: [FinishedMatch] = []
    for (match, stream) in zip(matches, streams) {
      do throws(ReplayError) {
        let match = try FinishedMatch(match.id, stream, ended: match.ended, games: .server)
        if let match { found.append(match) }
      } catch {
        report.damaged.append(
          "Match \(match.id) was not copied, because \(error.reason). To keep its stream in the"
            + " engine, type: redis-cli PERSIST \(RedisKey.stream(match.id))")
      }
    }
    try archive.addGames {
      for match in found { try match.add(to: archive) }
    }
    report.matches += found.count
    report.games += found.reduce(0) { $0 + $1.results.count }
  }
}

extension FinishedMatch {
  func add(to archive: Archive) throws(DatabaseError) {
    for result in results { try archive.add(result.result, keys: result.keys.map(\.text)) }
    try archive.add(lines, ended: ended)
  }
}
