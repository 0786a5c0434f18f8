import Foundation
import Shared

/// What became of a match in a damaged journal.
struct MatchVerdict: Equatable {
  enum Loss: Equatable {
    /// Nothing of the match is damaged.
    case none
    /// It goes on after its event of this number; later ones are removed.
    case cut(after: Int)
    /// All of it is removed: its beginning is lost, it had ended after the damage, or the archive
    /// has a game whose end is lost.
    case dropped
  }

  let match: String
  /// The names of the players; empty if the beginning of the match is lost.
  let players: [String]
  let loss: Loss
  /// Where its first damaged record is; `nil` if there is none.
  let damage: JournalPosition?
}

/// What the archive has of matches, before which none of them must be cut: a game that goes on
/// again would count twice.
struct ArchivedMatches {
  /// Those that have ended.
  var ended: Set<String> = []
  /// The number of finished games of each of the others.
  var games: [String: Int] = [:]
}

/// Reads all whole records of a damaged journal, and decides what of each match can be kept.
///
/// A damaged record belongs to the match that it names. If the name cannot be read, the next event
/// of the match shows the gap in its numbers. Without a next event, the last event of the match is
/// lost, and nothing shows it.
struct JournalSurvey {
  private let games: GameRegistry
  private let archived: ArchivedMatches
  private var matches: [String: Found] = [:]
  private var decoder = EventDecoder()
  private let recordDecoder = JSONDecoder()
  private var begun = 0
  private var order = 0
  /// The last match that each player has begun, by the order of the beginnings.
  private var lastMatches: [String: Int] = [:]

  private struct Found {
    /// `nil` if its beginning is lost, or is in a segment that is gone.
    var stored: StoredMatch?
    var players: [String] = []
    var order = 0
    var damage: JournalPosition?
    var hasEnded = false
    var isOfUnknownGame = false
  }

  init(_ games: GameRegistry, _ archived: ArchivedMatches) {
    self.games = games
    self.archived = archived
  }

  /// The number of matches that have certainly begun.
  var matchesBegun: Int { max(begun, matches.keys.compactMap(MatchID.number).max() ?? 0) }

  /// Applies a part of the journal. Parts come in order.
  mutating func apply(_ piece: JournalPiece, in bytes: UnsafeRawBufferPointer) {
    switch piece {
    case .gap(let position, let count):
      let range = position.offset..<position.offset + count
      for match in Self.matches(in: UnsafeRawBufferPointer(rebasing: bytes[range])) {
        damage(match, at: position)
      }
    case .record(let record): apply(record, in: bytes)
    }
  }

  private mutating func damage(_ match: String, at position: JournalPosition) {
    let first = matches[match]?.damage ?? position
    matches[match, default: Found()].damage = first
  }

  private mutating func apply(_ record: JournalRecord, in bytes: UnsafeRawBufferPointer) {
    switch record.kind {
    case .header:
      begun = max(begun, SegmentHeader(bytes[record.payload])?.matches ?? 0)
    case .beginning:
      guard let beginning = try? decode(BeginningRecord.self, record, bytes) else { return }
      begin(beginning)
    case .event: applyEvent(record, in: bytes)
    case .removed:
      for match in Self.matches(in: UnsafeRawBufferPointer(rebasing: bytes[record.payload])) {
        matches[match, default: Found()].hasEnded = true
      }
    case .accounts, .token, .rematch, .synced: break
    }
  }

  private mutating func begin(_ record: BeginningRecord) {
    order += 1
    begun += 1
    var found = Found(order: order)
    found.players = [record.X, record.O].compactMap { $0?.name }
    for name in found.players { lastMatches[name] = order }
    if let game = games[record.game] {
      found.stored = StoredMatch(
        record.match, game: game, players: record.players)
    } else {
      found.isOfUnknownGame = true
    }
    matches[record.match] = found
  }

  private mutating func applyEvent(_ record: JournalRecord, in bytes: UnsafeRawBufferPointer) {
    let all = Span(_unsafeElements: bytes.bindMemory(to: UInt8.self))
    let span = all.extracting(record.payload.lowerBound..<record.payload.upperBound + 1)
    guard
      case .match(let event)? = (try? decoder.decode(span.extracting(droppingLast: 1)))?.event
    else { return }
    let id = event.match
    if case .matchDidEnd = event.body { matches[id, default: Found()].hasEnded = true }
    guard let found = matches[id] else {
      matches[id] = Found()
      return
    }
    guard found.stored != nil, found.damage == nil else { return }
    do throws(ReplayError) {
      try matches[id]?.stored?.apply(event, span)
    } catch {
      damage(id, at: record.position)
    }
  }

  /// What of each match is lost, in the order in which the matches began.
  var verdicts: [MatchVerdict] {
    matches.sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }.compactMap { id, found in
      verdict(id, found).map {
        MatchVerdict(match: id, players: found.players, loss: $0, damage: found.damage)
      }
    }
  }

  /// Returns `nil` for a match that began in a segment that is gone: it has ended since.
  private func verdict(_ id: String, _ found: Found) -> MatchVerdict.Loss? {
    if found.isOfUnknownGame { return .some(.none) }
    guard let stored = found.stored else {
      return found.hasEnded && found.damage == nil ? nil : .dropped
    }
    // The last event may be lost without damage that is known to be of this match.
    let lacksArchived =
      stored.series.score.games < archived.games[id] ?? 0
      || !found.hasEnded && archived.ended.contains(id)
    guard found.damage != nil || lacksArchived else { return .some(.none) }
    // A player who was in a later match had left this one.
    let isOver =
      found.hasEnded || lacksArchived
      || found.players.contains { lastMatches[$0] ?? 0 > found.order }
    return isOver || stored.board == nil ? .dropped : .cut(after: stored.history.seq)
  }

  /// Returns the match of a record; `nil` if it has none.
  static func match(of record: JournalRecord, in bytes: UnsafeRawBufferPointer) -> String? {
    switch record.kind {
    case .header, .synced, .removed: nil
    case .beginning, .event, .accounts, .token, .rematch:
      matches(in: UnsafeRawBufferPointer(rebasing: bytes[record.payload])).first
    }
  }

  /// The ids of the matches that bytes name.
  static func matches(in bytes: UnsafeRawBufferPointer) -> [String] {
    // In a text of a person, the quotes are escaped.
    let key = Array("match\":\"".utf8)
    var (ids, rest) = ([String](), bytes[...])
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      rest = rest[(quote + 1)...]
      guard rest.starts(with: key) else { continue }
      rest = rest.dropFirst(key.count)
      guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { break }
      let id = String(decoding: rest[..<end], as: UTF8.self)
      if MatchID.number(of: id) != nil { ids.append(id) }
    }
    return ids
  }

  private func decode<Record: Decodable>(
    _ type: Record.Type, _ record: JournalRecord, _ bytes: UnsafeRawBufferPointer
  ) throws -> Record {
    try recordDecoder.decode(type, from: Data(bytes[record.payload]))
  }
}
