import Foundation
import Shared

/// What a journal holds, if all of it is whole.
struct JournalSummary: Equatable {
  var segments = 0
  var records = 0
  /// Matches that begin in it, and those of them that go on.
  var matches = 0
  var liveMatches = 0
  /// Matches that have begun, also in segments that are gone.
  var begun = 0
  var bytes = 0
  /// Bytes at the end that belong to no whole record.
  var torn = 0
  /// Where the last whole record ends.
  var end = JournalPosition(segment: 0, offset: 0)
}

/// Reads a journal as the server does at its start, but changes nothing. The server may be running.
struct JournalCheck {
  /// How often a journal is read that changes meanwhile.
  private static let attempts = 5

  let folder: SegmentFolder
  let games: GameRegistry
  /// Called with the number of bytes that are read next.
  var onProgress: (Int) -> Void = { _ in }

  /// Checks all records, and that matches follow the rules.
  ///
  /// - Throws: `JournalDamage`; errors of the system.
  func run() throws -> JournalSummary {
    var summary = JournalSummary()
    var replay = MatchReplay(games)
    let end = try read {
      summary = JournalSummary()
      replay = MatchReplay(games)
    } _: { record, bytes in
      try replay.apply(record, in: bytes)
      summary.bytes += record.count
    }
    try replay.checkBeginnings()
    summary.segments = try folder.numbers().count
    summary.records = replay.recordCount
    summary.matches = replay.matchCount
    summary.liveMatches = replay.liveMatches.count
    summary.begun = replay.begun
    summary.torn = end.torn
    summary.end = end.position
    return summary
  }

  /// Calls `body` with each whole record. If a running server changes the journal meanwhile, this
  /// happens again, after another call of `begin`.
  ///
  /// - Throws: `JournalDamage`; errors of the system and of `body`.
  @discardableResult
  func read(
    begin: () -> Void, _ body: (JournalRecord, Span<UInt8>) throws -> Void
  ) throws -> JournalEnd {
    var last: JournalDamage?
    for _ in 0..<Self.attempts {
      begin()
      do {
        return try readOnce(body)
      } catch let damage as JournalDamage {
        // A running server may have written the record while it was being read. Then there is none
        // at the next attempt, or a later one.
        if damage == last { break }
        last = damage
      } catch CocoaError.fileReadNoSuchFile {
        // A running server has removed the segment, because nobody needs it.
      }
    }
    if let last { throw last }
    begin()
    return try readOnce(body)
  }

  private func readOnce(
    _ body: (JournalRecord, Span<UInt8>) throws -> Void
  ) throws -> JournalEnd {
    var reader = JournalReader()
    return try reader.read(
      try folder.checkedNumbers(),
      load: { number in
        // Not mapped, because the file may be cut to its length meanwhile.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(number)))
        onProgress(bytes.count)
        return bytes
      }, body)
  }
}
