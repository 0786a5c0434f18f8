import Foundation
import Shared

/// What a journal holds, if all of it is whole.
struct JournalSummary: Equatable {
  var segments = 0
  var records = 0
  /// Matches that begin in it, and those of them that go on.
  var matches = 0
  var liveMatches = 0
  var bytes = 0
  /// Bytes at the end that belong to no whole record.
  var torn = 0
}

/// Reads a journal as a start of the server does, but without changing anything. It may be that of a
/// running server.
struct JournalCheck {
  /// How often a journal is read that changes meanwhile.
  private static let attempts = 5

  let folder: SegmentFolder
  let games: GameRegistry
  /// Called with the number of bytes that are read next.
  var onProgress: (Int) -> Void = { _ in }

  /// - Throws: `JournalDamage`; errors of the system.
  func run() throws -> JournalSummary {
    var last: JournalDamage?
    for _ in 0..<Self.attempts {
      do {
        return try readOnce()
      } catch let damage as JournalDamage {
        // A running server may have written the record while it was being read. Then there is none
        // at the next attempt, or a later one.
        if damage == last { break }
        last = damage
      } catch CocoaError.fileReadNoSuchFile {
        // A running server has removed the segment, because no match needs it.
      }
    }
    if let last { throw last }
    return try readOnce()
  }

  private func readOnce() throws -> JournalSummary {
    var (summary, replay) = (JournalSummary(), MatchReplay(games))
    var reader = JournalReader()
    let numbers = try folder.numbers()
    let end = try reader.read(
      numbers,
      load: { number in
        // Not mapped, because the file may be cut to its length meanwhile.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(number)))
        onProgress(bytes.count)
        return bytes
      },
      { record, bytes in
        try replay.apply(record, in: bytes)
        summary.bytes += record.count
      })
    summary.segments = numbers.count
    summary.records = replay.recordCount
    summary.matches = replay.matchCount
    summary.liveMatches = replay.liveMatches.count
    summary.torn = end.torn
    return summary
  }
}
