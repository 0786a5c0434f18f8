import Foundation
import Shared

/// Makes the matches again from the records of a journal.
struct MatchReplay {
  private let games: GameRegistry
  private var matches: [String: StoredMatch] = [:]
  /// The ids in the order in which the matches began.
  private var order: [String] = []
  private var decoder = EventDecoder()
  private let recordDecoder = JSONDecoder()
  private(set) var recordCount = 0
  /// The number of matches that have begun, also in segments that are gone.
  private(set) var begun = 0
  /// The number of matches that begin in these records.
  private(set) var matchCount = 0
  /// Matches of games that this server does not have.
  private(set) var unknownGames = 0
  /// The ids of those of them that go on.
  private(set) var unknownMatches: Set<String> = []
  /// The first event of each match that neither begins nor ends in these records.
  private var unbegun: [String: JournalPosition] = [:]
  /// Where the last synced record ends, if it is the last one.
  private(set) var syncedEnd: JournalPosition?

  init(_ games: GameRegistry) {
    self.games = games
  }

  /// The matches that go on, in the order in which they began. One whose first game has not begun
  /// does not: nobody was told of it.
  var liveMatches: [StoredMatch] {
    order.compactMap { matches[$0] }.filter { $0.board != nil }
  }

  /// Applies a record.
  ///
  /// - Throws: `JournalDamage` if it cannot follow the ones before it.
  mutating func apply(
    _ record: JournalRecord, in bytes: Span<UInt8>
  ) throws(JournalDamage) {
    recordCount += 1
    syncedEnd = nil
    let payload = bytes.extracting(record.payload)
    do throws(ReplayError) {
      switch record.kind {
      case .header:
        begun = Self.withArray(payload) { SegmentHeader($0)?.matches } ?? begun
      case .beginning:
        try begin(try decode(payload))
      case .event:
        // The LF ends the line and the record.
        try apply(
          payload, bytes.extracting(record.payload.lowerBound..<record.payload.upperBound + 1),
          at: record.position)
      case .token:
        let token: TokenRecord = try decode(payload)
        let mark = token.mark.mark
        matches[token.match]?.players[mark]?.token = token.token
        matches[token.match]?.players[mark]?.spent = token.spent
      case .rematch:
        let rematch: RematchRecord = try decode(payload)
        matches[rematch.match]?.asked[rematch.mark.mark] = rematch.asked
      case .removed:
        let ids = payload.withUnsafeBytes { JournalSurvey.matches(in: $0) }
        for match in ids { unbegun[match] = nil }
      // The archive needs them.
      case .accounts: break
      case .synced:
        syncedEnd = JournalPosition(
          segment: record.position.segment, offset: record.position.offset + record.count)
      }
    } catch {
      throw JournalDamage(position: record.position, reason: error.reason)
    }
  }

  /// Checks that no match goes on whose beginning is missing. Called after the last record.
  ///
  /// - Throws: `JournalDamage` if one does: a segment is removed only after all matches that begin
  ///   in it have ended.
  func checkBeginnings() throws(JournalDamage) {
    guard let (match, position) = unbegun.min(by: { $0.value < $1.value }) else { return }
    throw JournalDamage(
      position: position,
      reason: "match \(match) goes on, but its beginning is not there: an earlier file of the"
        + " journal is missing")
  }

  private mutating func begin(_ record: BeginningRecord) throws(ReplayError) {
    begun += 1
    matchCount += 1
    guard matches[record.match] == nil else {
      throw ReplayError("match \(record.match) begins twice")
    }
    guard let game = games[record.game] else {
      unknownGames += 1
      unknownMatches.insert(record.match)
      return
    }
    matches[record.match] = StoredMatch(
      record.match, game: game, players: record.players)
    order.append(record.match)
  }

  private mutating func apply(
    _ payload: Span<UInt8>, _ line: Span<UInt8>, at position: JournalPosition
  ) throws(ReplayError) {
    let event: Event
    do throws(LineError) {
      event = try decoder.decode(payload).event
    } catch {
      throw ReplayError("an event cannot be read")
    }
    guard case .match(let event) = event else { throw ReplayError("a line is no event of a match") }
    guard matches[event.match] != nil else { return noteUnbegun(event, at: position) }
    try matches[event.match]?.apply(event, line)
    if matches[event.match]?.hasEnded == true { matches[event.match] = nil }
    if order.count > 64, order.count > 2 * matches.count {
      order.removeAll { matches[$0] == nil }
    }
  }

  /// Notes an event of a match of an unknown game, or of one that has begun in a segment that is
  /// gone: its end follows then.
  private mutating func noteUnbegun(_ event: MatchEvent, at position: JournalPosition) {
    if case .matchDidEnd = event.body {
      unbegun[event.match] = nil
      unknownMatches.remove(event.match)
    } else if unbegun[event.match] == nil, !unknownMatches.contains(event.match) {
      unbegun[event.match] = position
    }
  }

  private func decode<Record: Decodable>(_ payload: Span<UInt8>) throws(ReplayError) -> Record {
    do {
      return try Self.withArray(payload) { try recordDecoder.decode(Record.self, from: Data($0)) }
    } catch {
      throw ReplayError("a record cannot be read")
    }
  }

  private static func withArray<Result>(
    _ payload: Span<UInt8>, _ body: ([UInt8]) throws -> Result
  ) rethrows -> Result {
    try payload.withUnsafeBufferPointer { try body(Array($0)) }
  }
}
