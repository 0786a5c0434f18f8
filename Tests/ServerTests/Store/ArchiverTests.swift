import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ArchiverTests {
  /// The history and the lines of all matches, after a new archive has read a journal.
  private func archive(
    _ segments: SegmentFolder, maxMapped: Int
  ) throws -> (history: HistoryPage, lines: [[UInt8]?]) {
    let folder = TemporaryFolder()
    let archive = try Archive(in: folder.path, with: try SQLite())
    let count = try segments.bytes(of: 1).count
    let end = JournalPosition(segment: 1, offset: count)
    let archiver = Archiver(archive, segments, end: end, live: [], maxMapped: maxMapped)
    _ = try archiver.advance(to: end)
    return (
      try archive.history(of: nil, before: nil, now: 0),
      try archive.matchIDs().map { try archive.match($0)?.lines }
    )
  }

  @Test func `a journal that is read in small pieces has the same results`() throws {
    let fixture = try StoreFixture()
    for number in 1...3 {
      let (ann, bob) = fixture.server.match("ann\(number)", "bob\(number)")
      ann.say("say what comes first")
      fixture.server.playFirstRow(ann, bob)
      ann.say("start")
      bob.say("start")
      bob.say("resign")
      bob.say("leave")
    }
    fixture.settle()
    let segments = SegmentFolder(path: fixture.journalPath)
    let whole = try archive(segments, maxMapped: .max)
    #expect(whole.history.items.count == 6)
    #expect(whole.lines.count == 3)
    for size in [1, 100, 5_000] {
      let pieces = try archive(segments, maxMapped: size)
      #expect(pieces.history == whole.history)
      #expect(pieces.lines == whole.lines)
    }
  }

  @Test func `locations of events are kept in few bytes, whatever their distances`() {
    var positions: [JournalPosition] = []
    for segment in [1, 2, 3, 99_999_999] {
      for offset in [25, 26, 152, 153, 154, 16_537, 16_538, 5_000_000, 0xFFFF_FFFF] {
        positions.append(JournalPosition(segment: segment, offset: offset))
      }
    }
    var locations = EventLocations()
    for position in positions { locations.append(position) }
    #expect(locations.count == positions.count)
    var found: [JournalPosition] = []
    locations.forEach { found.append($0) }
    #expect(found == positions)
  }

  @Test func `the result in a line is that of the game`() throws {
    let match = "winner"
    for outcome in [
      Outcome(winner: .x, reason: .line), Outcome(winner: .o, reason: .resigned),
      Outcome(winner: nil, reason: .full),
    ] {
      let body = MatchEvent.Body.gameDidEnd(outcome, Score())
      var found: Outcome?
      EventEncoder.withLine(body, match: QuotedName(match), seq: 7) { line in
        found = line.withUnsafeBytes { Outcome(ofLine: $0) }
      }
      #expect(found == outcome)
    }
  }
}
