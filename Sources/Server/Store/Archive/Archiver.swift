import Foundation
import Shared

/// Reads the journal after it was written, and puts results, ratings and finished matches into the
/// archive. It reads each record once; what was archived before the process was started is read
/// again only to find the events of the matches that go on.
final class Archiver {
  let archive: Archive
  private let folder: SegmentFolder
  /// How many bytes of a segment are in memory while it is read.
  private let maxMapped: Int
  /// Where the journal ended at the start of the process, and the matches that went on then.
  private let end: JournalPosition
  private let live: Set<MatchKey>
  private var position = JournalPosition(segment: 0, offset: 0)
  /// All records before this position are in the archive already.
  private var archived = JournalPosition(segment: 0, offset: 0)
  private var matches: [MatchKey: OpenMatch] = [:]
  /// How many of the matches begin in a segment.
  private var matchCounts: [Int: Int] = [:]
  /// The segments that are being read.
  private var segments: [Int: Data] = [:]
  private let recordDecoder = JSONDecoder()
  private var changes: [RatingChange] = []
  /// Whether the next call of `advance` begins again with the first record.
  private var isReset = true
  /// Whether the archive's position is one in this journal, and not in one that was lost.
  private var hasAdvanced = false

  /// A match whose end was not read yet.
  private final class OpenMatch {
    var record: MatchRecord
    /// The segment that it begins in.
    let segment: Int
    /// The keys of the players' names, by the marks of the first game.
    let keys: PerMark<String>
    /// Where the payloads of its events are.
    var events = EventLocations()

    init(_ beginning: BeginningRecord, segment: Int) {
      record = MatchRecord(beginning)
      self.segment = segment
      keys = record.players.map { Archive.key(of: $0) }
    }
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
    _ archive: Archive, _ folder: SegmentFolder, end: JournalPosition, live: Set<String>,
    maxMapped: Int = 524_288
  ) {
    self.maxMapped = maxMapped
    self.archive = archive
    self.folder = folder
    self.end = end
    self.live = Set(live.compactMap { MatchKey($0) })
  }

  private func reset() throws {
    let stored = try archive.position()
    archived = hasAdvanced ? stored : min(stored, end)
    position = JournalPosition(segment: try folder.numbers().first ?? end.segment, offset: 0)
    matches = [:]
    matchCounts = [:]
    isReset = false
  }

  /// Reads the journal up to a position, where a record ends.
  ///
  /// - Throws: the errors of SQLite and of the files. The archive is unchanged then.
  func advance(to end: JournalPosition) throws -> Progress {
    changes = []
    defer { segments = [:] }
    do {
      if isReset { try reset() }
      try archive.addGames {
        if position < self.end {
          try read(to: self.end)
          dropOthers()
        }
        try read(to: end)
        try archive.set(max(position, archived))
      }
    } catch {
      isReset = true
      throw error
    }
    hasAdvanced = true
    return Progress(
      changes: changes, neededSegment: matchCounts.keys.min() ?? position.segment)
  }

  private func read(to end: JournalPosition) throws {
    while position.segment < end.segment {
      try read(upTo: .max)
      let next = try folder.numbers().first { $0 > position.segment }
      position = JournalPosition(segment: min(next ?? end.segment, end.segment), offset: 0)
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

  /// Reads the records of the segment, up to an offset or the last one. The file's pages count as
  /// memory of the process, so it gives them back now and then.
  private func read(upTo limit: Int) throws {
    while try readSome(upTo: limit) { segments = [:] }
  }

  /// Returns whether there may be more.
  private func readSome(upTo limit: Int) throws -> Bool {
    let begin = position.offset
    return try bytes(of: position.segment).withUnsafeBytes { bytes in
      let used = UnsafeRawBufferPointer(rebasing: bytes[..<min(limit, bytes.count)])
      while let record = JournalRecord(in: used, at: position) {
        try apply(record, in: used)
        position.offset = record.payload.upperBound + 1
        if position.offset >= begin + maxMapped { return true }
      }
      return false
    }
  }

  private func bytes(of segment: Int) throws -> Data {
    if let bytes = segments[segment] { return bytes }
    let bytes = try folder.bytes(of: segment)
    segments[segment] = bytes
    return bytes
  }

  private func apply(_ record: JournalRecord, in bytes: UnsafeRawBufferPointer) throws {
    switch record.kind {
    case .beginning:
      let beginning: BeginningRecord = try decode(bytes[record.payload])
      guard let key = MatchKey(beginning.match) else { return }
      matches[key] = OpenMatch(beginning, segment: position.segment)
      matchCounts[position.segment, default: 0] += 1
    case .accounts:
      let accounts: AccountsRecord = try decode(bytes[record.payload])
      guard let key = MatchKey(accounts.match) else { return }
      matches[key]?.record.accounts = accounts.accounts
    case .event:
      try applyEvent(record, UnsafeRawBufferPointer(rebasing: bytes[record.payload]))
    case .header, .token, .rematch, .synced, .removed: break
    }
  }

  private func decode<Payload: Decodable>(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Payload
  {
    try recordDecoder.decode(Payload.self, from: Data(bytes))
  }

  private func applyEvent(_ record: JournalRecord, _ line: UnsafeRawBufferPointer) throws {
    // A match that began in a segment that is gone has ended since.
    guard let head = EventHead(line), let key = MatchKey(line[head.match]),
      let match = matches[key]
    else { return }
    match.events.append(
      JournalPosition(segment: position.segment, offset: record.payload.lowerBound))
    let isNew = position >= archived
    if let result = match.record.apply(head, line, at: isNew ? record.time : nil) {
      try archive.add(result, keys: match.record.order.swapped(match.keys))
      if let accounts = result.accounts { changes += try archive.rate(result, for: accounts) }
    }
    if match.record.hasEnded {
      matches[key] = nil
      release(match)
      if isNew { try matchDidEnd(match, at: record.time) }
    }
  }

  private func matchDidEnd(_ match: OpenMatch, at time: Int) throws {
    guard match.record.hasBegun else { return }
    var lines: [UInt8] = []
    try match.events.forEach { try append($0, to: &lines) }
    try archive.add(MatchLines(header: match.record.header, lines: lines), ended: time)
  }

  /// Appends the line of an event with its LF.
  private func append(_ event: JournalPosition, to lines: inout [UInt8]) throws {
    try bytes(of: event.segment).withUnsafeBytes { bytes in
      lines += bytes[event.offset..<bytes.end(ofLineAt: event.offset)]
    }
    lines.append(UInt8(ascii: "\n"))
  }
}
