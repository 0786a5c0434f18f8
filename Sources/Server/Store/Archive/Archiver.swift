import Foundation
import Shared

/// Reads the journal after it was written, and puts results, ratings and finished matches into the
/// archive. It reads each record once; what was archived before the process was started is read
/// again only to find the events of the matches that go on.
final class Archiver {
  let archive: Archive
  private let folder: SegmentFolder
  /// Where the journal ended at the start of the process, and the matches that went on then.
  private let end: JournalPosition
  private let live: Set<String>
  private var position = JournalPosition(segment: 0, offset: 0)
  /// All records before this position are in the archive already.
  private var archived = JournalPosition(segment: 0, offset: 0)
  private var matches: [String: OpenMatch] = [:]
  /// How many of the matches begin in a segment.
  private var matchCounts: [Int: Int] = [:]
  /// The segments that are being read.
  private var segments: [Int: Data] = [:]
  private var eventDecoder = EventDecoder()
  private let recordDecoder = JSONDecoder()
  private var changes: [RatingChange] = []

  /// A match whose end was not read yet.
  private struct OpenMatch {
    /// The segment that it begins in.
    let segment: Int
    /// The locations of its events in the journal, each a segment and an offset in one number.
    var events: [UInt64] = []
    /// The index of the event that begins the last game.
    var gameStart = 0
    var moves = 0
    /// The accounts that the running game counts for.
    var accounts: PerMark<Int>?
  }

  /// The result of a call of `advance`.
  struct Progress: Sendable {
    var changes: [RatingChange]
    /// The first segment that is still needed.
    let neededSegment: Int
  }

  /// `end` is the end of the journal, which may come before the archive's position if files of the
  /// journal were lost.
  init(
    _ archive: Archive, _ folder: SegmentFolder, end: JournalPosition, live: Set<String>
  ) throws {
    self.archive = archive
    self.folder = folder
    self.end = end
    self.live = live
    try reset()
  }

  private func reset() throws {
    archived = min(try archive.position(), end)
    position = JournalPosition(segment: try folder.numbers().first ?? end.segment, offset: 0)
    matches = [:]
    matchCounts = [:]
  }

  /// Reads the journal up to a position, where a record ends.
  ///
  /// - Throws: the errors of SQLite and of the files. The archive is unchanged then.
  func advance(to end: JournalPosition) throws -> Progress {
    changes = []
    defer { segments = [:] }
    do {
      try archive.database.transaction {
        if position < self.end {
          try read(to: self.end)
          dropOthers()
        }
        try read(to: end)
        try archive.set(max(position, archived))
      }
    } catch {
      try reset()
      throw error
    }
    return Progress(
      changes: changes, neededSegment: matchCounts.keys.min() ?? position.segment)
  }

  private func read(to end: JournalPosition) throws {
    while position.segment < end.segment {
      try read(upTo: .max)
      position = JournalPosition(segment: position.segment + 1, offset: 0)
    }
    try read(upTo: end.offset)
  }

  /// Forgets the matches that the server could not take up again. They have no end.
  private func dropOthers() {
    for match in matches.keys where !live.contains(match) {
      if let match = matches.removeValue(forKey: match) { release(match) }
    }
  }

  private func release(_ match: OpenMatch) {
    let count = matchCounts[match.segment, default: 1]
    matchCounts[match.segment] = count == 1 ? nil : count - 1
  }

  /// Reads the records of the segment, up to an offset or the last one.
  private func read(upTo limit: Int) throws {
    try bytes(of: position.segment).withUnsafeBytes { bytes in
      let used = UnsafeRawBufferPointer(rebasing: bytes[..<min(limit, bytes.count)])
      while let record = Record(in: used, at: position.offset) {
        try apply(record, in: used)
        position.offset = record.payload.upperBound + 1
      }
    }
  }

  private func bytes(of segment: Int) throws -> Data {
    if let bytes = segments[segment] { return bytes }
    let bytes = try folder.bytes(of: segment)
    segments[segment] = bytes
    return bytes
  }

  private func apply(_ record: Record, in bytes: UnsafeRawBufferPointer) throws {
    switch record.kind {
    case .beginning:
      let beginning: BeginningRecord = try decode(bytes[record.payload])
      matches[beginning.match] = OpenMatch(segment: position.segment)
      matchCounts[position.segment, default: 0] += 1
    case .accounts:
      let accounts: AccountsRecord = try decode(bytes[record.payload])
      matches[accounts.match]?.accounts = accounts.accounts
    case .event:
      if let head = EventHead(bytes, record.payload) { try apply(head, record, in: bytes) }
    case .header, .token, .rematch, .synced, .removed, nil: break
    }
  }

  private func decode<Payload: Decodable>(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Payload
  {
    try recordDecoder.decode(Payload.self, from: Data(bytes))
  }

  private func apply(
    _ head: EventHead, _ record: Record, in bytes: UnsafeRawBufferPointer
  ) throws {
    // A match that began in a segment that is gone has ended since.
    guard let index = matches.index(forKey: head.match) else { return }
    matches.values[index].events.append(
      UInt64(position.segment) << 32 | UInt64(record.payload.lowerBound))
    switch head.kind {
    case .move: matches.values[index].moves += 1
    case .gameStart:
      matches.values[index].gameStart = matches.values[index].events.count - 1
      matches.values[index].moves = 0
    case .gameEnd:
      let match = matches.values[index]
      matches.values[index].accounts = nil
      if position >= archived { try gameDidEnd(in: match, record, bytes) }
    case .matchEnd:
      let match = matches.remove(at: index).value
      release(match)
      if position >= archived { try matchDidEnd(match, at: record.time) }
    case .other: break
    }
  }

  private func gameDidEnd(
    in match: OpenMatch, _ record: Record, _ bytes: UnsafeRawBufferPointer
  ) throws {
    guard let start = event(try line(match.events[match.gameStart])),
      case .gameDidStart(let state) = start.body,
      case .gameDidEnd(let outcome, _)? = event(Array(bytes[record.payload]))?.body
    else { return }
    let result = GameResult(
      match: start.match, game: state.game, players: state.players, accounts: match.accounts,
      outcome: outcome, moves: match.moves, ended: record.time)
    try archive.add(result)
    if let accounts = match.accounts { changes += try archive.rate(result, for: accounts) }
  }

  private func matchDidEnd(_ match: OpenMatch, at time: Int) throws {
    var lines: [UInt8] = []
    for event in match.events {
      lines += try line(event)
      lines.append(UInt8(ascii: "\n"))
    }
    guard let first = match.events.first, let start = event(try line(first)),
      case .gameDidStart(let state) = start.body
    else { return }
    let header = ReplayHeader(
      match: start.match, game: state.game, players: state.players, last: match.events.count)
    try archive.add(MatchLines(header: header, lines: lines), ended: time)
  }

  /// Returns the line of an event, without its LF.
  private func line(_ location: UInt64) throws -> [UInt8] {
    try bytes(of: Int(location >> 32)).withUnsafeBytes { bytes in
      let start = Int(location & 0xFFFF_FFFF)
      return Array(bytes[start..<bytes.end(ofLineAt: start)])
    }
  }

  private func event(_ line: [UInt8]) -> MatchEvent? {
    guard case .match(let event)? = (try? eventDecoder.decode(line.span))?.event else { return nil }
    return event
  }
}

/// A record, as it is read again. Its checksum was checked when the server was started, or the
/// process itself has written it.
private struct Record {
  let kind: RecordKind?
  /// In milliseconds since 1970.
  let time: Int
  let payload: Range<Int>

  /// `nil` after the last record.
  init?(in bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset + JournalRecord.overhead <= bytes.count, bytes[offset] != 0 else { return nil }
    let end = bytes.end(ofLineAt: offset)
    guard end < bytes.count, end >= offset + JournalRecord.overhead - 1 else { return nil }
    kind = RecordKind(rawValue: bytes[offset + 23])
    var time = 0
    for digit in bytes[(offset + 9)..<(offset + 22)] { time = 10 * time + Int(digit & 15) }
    self.time = time
    payload = offset + 25..<end
  }
}

/// The first two fields of an event, which are all that most events are read for.
private struct EventHead {
  enum Kind {
    case gameStart, move, gameEnd, matchEnd, other
  }

  let kind: Kind
  let match: String

  /// `nil` for anything but an event of a match.
  init?(_ bytes: UnsafeRawBufferPointer, _ payload: Range<Int>) {
    func string(after field: StaticString, from start: Int) -> Range<Int>? {
      let start = start + field.utf8CodeUnitCount
      guard start < payload.upperBound else { return nil }
      return bytes[start..<payload.upperBound].firstIndex(of: UInt8(ascii: "\"")).map { start..<$0 }
    }
    guard let type = string(after: #"{"type":""#, from: payload.lowerBound),
      let match = string(after: #"","match":""#, from: type.upperBound)
    else { return nil }
    self.match = String(decoding: bytes[match], as: UTF8.self)
    kind =
      switch String(decoding: bytes[type], as: UTF8.self) {
      case "gameDidStart": .gameStart
      case "boardDidChange": .move
      case "gameDidEnd": .gameEnd
      case "matchDidEnd": .matchEnd
      default: .other
      }
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the next LF, or of the end.
  fileprivate func end(ofLineAt start: Int) -> Int {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, CInt(UInt8(ascii: "\n")), count - start)
    else { return count }
    return UnsafeRawPointer(found) - base
  }
}
