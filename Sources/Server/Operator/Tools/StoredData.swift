import Foundation
import Shared

/// The data folder, as the tools read it beside a running server.
struct StoredData {
  let path: String
  let journal: SegmentFolder
  /// `nil` if the server has not made one yet.
  let archive: Archive?

  /// - Throws: if there is no data, SQLite is missing, or the archive is none.
  init(_ path: String, _ mode: Database.Mode = .readOnly) throws {
    self.path = path
    journal = SegmentFolder(path: "\(path)/journal")
    try Self.checkIsThere(path)
    archive = !Archive.isMissing(in: path) ? try Archive(in: path, mode, with: try SQLite()) : nil
  }

  /// - Throws: a sentence for people if there is no data in a folder.
  static func checkIsThere(_ path: String) throws(StartError) {
    if !Archive.isMissing(in: path) || access("\(path)/journal", F_OK) == 0 { return }
    throw missing(path)
  }

  static func missing(_ path: String) -> StartError {
    // A path that is too long, or a folder of somebody else.
    if access("\(path)/journal", F_OK) != 0, errno != ENOENT {
      return StartError(
        code: .noInput,
        sentence: "The data folder \(path) cannot be used: \(String(cString: strerror(errno))).")
    }
    return StartError(
      code: .noInput,
      sentence: "There is no data of a server in \(path). To name its folder, type: --data FOLDER")
  }

  /// Returns the lines of a match, with their LFs, and whether it has ended. The lines are those of
  /// a spectator of the whole match. Returns `nil` if there is no such match.
  ///
  /// - Throws: a sentence if the lines were removed or are damaged; `JournalDamage`.
  func lines(of match: String) throws -> (bytes: [UInt8], hasEnded: Bool)? {
    // A running server moves matches from the journal to the archive.
    for _ in 0..<2 {
      if let lines = try archivedLines(of: match) { return (lines, true) }
      let lines = try journalLines(of: match)
      if !lines.bytes.isEmpty { return lines }
    }
    return nil
  }

  private func archivedLines(of match: String) throws -> [UInt8]? {
    switch try archive?.stored(match) {
    case nil, .absent: return nil
    case .whole(_, let lines): return lines
    case .damaged:
      throw StartError(
        code: .damaged, sentence: "The lines of match \(match) in the archive are damaged.")
    case .withoutLines:
      throw StartError(
        code: .noInput,
        sentence: "The lines of match \(match) were removed; see --keep. Its results are kept.")
    }
  }

  private func journalLines(of match: String) throws -> (bytes: [UInt8], hasEnded: Bool) {
    var bytes: [UInt8] = []
    var last: [UInt8] = []
    let progress = Progress("Reading", of: try journal.size)
    let check = JournalCheck(folder: journal, games: .server, onProgress: progress.add)
    try check.read {
      bytes = []
    } _: { record, segment in
      guard record.kind == .event else { return }
      let line = segment.extracting(record.payload.lowerBound..<record.payload.upperBound + 1)
      line.withUnsafeBytes { line in
        guard JournalSurvey.matches(in: line).first == match else { return }
        last = Array(line)
        bytes += line
      }
    }
    return (bytes, String(decoding: last, as: UTF8.self).hasPrefix(#"{"type":"matchDidEnd""#))
  }
}
