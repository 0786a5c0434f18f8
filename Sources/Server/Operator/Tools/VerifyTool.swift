import Foundation
import Shared

/// Replays stored matches against the rules.
enum VerifyTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    guard let operand = options.operand else {
      return StandardOutput.write(try verifyAll(StoredData(options.data)))
    }
    guard operand.contains(where: { "/.".contains($0) }) else {
      return StandardOutput.write(try verify(match: operand, in: StoredData(options.data)))
    }
    return StandardOutput.write(try verify(file: operand, options))
  }

  private static func verify(match: String, in data: StoredData) throws -> String {
    guard let lines = try data.lines(of: match) else {
      throw StartError(code: .noInput, sentence: "There is no match \(match) in \(data.path).")
    }
    let verified = try replay(lines.bytes, "Match \(match)")
    if let archive = data.archive, case .whole = try archive.stored(match) {
      try check(verified, ResultsByMatch(archive, isForAll: false))
    }
    return good("Match \(match)", verified)
  }

  static func verify(file: String, _ options: ToolOptions) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
      throw StartError(code: .noInput, sentence: "There is no file \(file).")
    }
    guard !isFolder.boolValue else {
      throw StartError(code: .noInput, sentence: "\(file) is a folder.")
    }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let verified = try replay(bytes, file)
    let text = good("\(file), which has match \(verified.record.id),", verified)
    let data: StoredData
    let found: (bytes: [UInt8], hasEnded: Bool)?
    do {
      data = try StoredData(options.data)
    } catch let error as StartError where error.code == .noInput {
      return text + "It was not compared: there is no data of a server in \(options.data).\n"
    }
    do {
      found = try data.lines(of: verified.record.id)
    } catch let error as StartError where error.code == .noInput {
      return text + "It was not compared. \(error.sentence)\n"
    }
    guard let stored = found else {
      return text + "It was not compared: match \(verified.record.id) is not in \(options.data).\n"
    }
    if bytes == stored.bytes { return text + "It equals the match in \(options.data).\n" }
    if !stored.hasEnded, stored.bytes.starts(with: bytes) {
      return text + "It equals the beginning of the match, which still goes on.\n"
    }
    let offset = zip(bytes, stored.bytes).prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
    throw StartError(
      code: .damaged,
      sentence: "\(file) differs from match \(verified.record.id) in \(options.data), after"
        + " \(offset) bytes.")
  }

  private static func replay(_ lines: [UInt8], _ name: String) throws -> VerifiedMatch {
    do throws(ReplayError) {
      return try VerifiedMatch(lines, games: .server)
    } catch {
      throw StartError(code: .damaged, sentence: "\(name) is wrong: \(error.reason).")
    }
  }

  private static func good(_ name: String, _ match: VerifiedMatch) -> String {
    let record = match.record
    let end = record.hasEnded ? "" : ", and the match still goes on"
    return "\(name) is good: \(record.game), \(record.players.x) and \(record.players.o);"
      + " \(Count.of(record.events, "event")) and"
      + " \(Count.of(match.results.count, "finished game")) follow the rules\(end).\n"
  }

  /// Verifies all matches of a folder.
  private static func verifyAll(_ data: StoredData) throws -> String {
    var (matches, events, results, removed) = (0, 0, 0, 0)
    if let archive = data.archive {
      let ids = try archive.matchIDs()
      let progress = Progress("Verifying", of: ids.count)
      let history = try ResultsByMatch(archive, isForAll: true)
      for id in ids {
        progress.add(1)
        guard let match = try archived(id, archive, history) else {
          removed += 1
          continue
        }
        matches += 1
        events += match.record.events
        results += match.results.count
      }
    }
    let summary = try CheckTool.wholeJournal(data, "Verifying")
    try Archive.checkIsThere(in: data.path, begun: summary.begun)
    let removedText =
      removed > 0 ? " The lines of \(Count.of(removed, "match", "matches")) were removed." : ""
    return "All good. The archive has \(Count.of(matches, "match", "matches")) with"
      + " \(Count.of(events, "event")) and \(Count.of(results, "finished game")), which follow the"
      + " rules and have their checksums.\(removedText) The journal has"
      + " \(Count.of(summary.records, "record"))"
      + " of \(Count.of(summary.matches, "match", "matches")),"
      + " which follow the rules and have their checksums.\n"
  }

  /// Returns `nil` if the lines of the match were removed.
  static func archived(
    _ id: String, _ archive: Archive, _ history: ResultsByMatch
  ) throws -> VerifiedMatch? {
    let (header, lines): (ReplayHeader, [UInt8])
    switch try archive.stored(id) {
    case .absent, .withoutLines: return nil
    case .whole(let found, let bytes): (header, lines) = (found, bytes)
    case .damaged:
      throw StartError(
        code: .damaged, sentence: "The lines of match \(id) in the archive are damaged.")
    }
    let match = try replay(lines, "Match \(id) in the archive")
    guard match.record.hasEnded, match.record.header == header else {
      throw StartError(
        code: .damaged, sentence: "The archive describes match \(id) otherwise than its lines do.")
    }
    try check(match, history)
    return match
  }

  /// Checks the history's rows of a match in the archive.
  private static func check(_ match: VerifiedMatch, _ history: ResultsByMatch) throws {
    let id = match.record.id
    guard try history.results(of: id).map(Row.init) == match.results.map(Row.init) else {
      throw StartError(
        code: .damaged,
        sentence: "The history has other games of match \(id) than its lines.")
    }
  }

  /// What the history says of a game.
  private struct Row: Equatable {
    let game: String
    let players: PerMark<String>
    let winner: Mark?
    let reason: Outcome.Reason
    let moves: Int

    init(_ result: GameResult) {
      game = result.game
      players = result.players
      winner = result.outcome.winner
      reason = result.outcome.reason
      moves = result.moves
    }
  }
}
