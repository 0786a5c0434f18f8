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
    let id: String
    let game: String
    /// The segment that it begins in.
    let segment: Int
    /// By the marks of the first game, and the keys of their names.
    let players: PerMark<String>
    let keys: PerMark<String>
    /// The number of games that have begun.
    var games = 0
    /// The number of moves in the last game.
    var moves = 0
    /// Where the payloads of its events are.
    var events = EventLocations()
    /// The accounts that the running game counts for.
    var accounts: PerMark<Int>?

    init(_ beginning: BeginningRecord, segment: Int) {
      id = beginning.match
      game = beginning.game
      self.segment = segment
      players = PerMark(x: beginning.X, o: beginning.O).map { $0?.name ?? Player.botName }
      keys = players.map { Archive.key(of: $0) }
    }

    /// By the marks of the last game.
    func ofLastGame<Value>(_ values: PerMark<Value>) -> PerMark<Value> {
      MarkOrder(inGame: games).swapped(values)
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
      while let record = ArchivedRecord(in: used, at: position.offset) {
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

  private func apply(_ record: ArchivedRecord, in bytes: UnsafeRawBufferPointer) throws {
    switch record.kind {
    case .beginning:
      let beginning: BeginningRecord = try decode(bytes[record.payload])
      guard let key = MatchKey(beginning.match) else { return }
      matches[key] = OpenMatch(beginning, segment: position.segment)
      matchCounts[position.segment, default: 0] += 1
    case .accounts:
      let accounts: AccountsRecord = try decode(bytes[record.payload])
      guard let key = MatchKey(accounts.match) else { return }
      matches[key]?.accounts = accounts.accounts
    case .event:
      let line = UnsafeRawBufferPointer(rebasing: bytes[record.payload])
      if let head = EventHead(line) { try apply(head, line, of: record, in: bytes) }
    case .header, .token, .rematch, .synced, .removed, nil: break
    }
  }

  private func decode<Payload: Decodable>(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Payload
  {
    try recordDecoder.decode(Payload.self, from: Data(bytes))
  }

  private func apply(
    _ head: EventHead, _ line: UnsafeRawBufferPointer, of record: ArchivedRecord,
    in bytes: UnsafeRawBufferPointer
  ) throws {
    // A match that began in a segment that is gone has ended since.
    guard let match = matches[head.match] else { return }
    match.events.append(
      JournalPosition(segment: position.segment, offset: record.payload.lowerBound))
    switch head.kind {
    case .move: match.moves += 1
    case .gameStart:
      match.games += 1
      match.moves = 0
    case .gameEnd:
      if position >= archived {
        try gameDidEnd(in: match, with: Outcome(ofLine: line), at: record.time(in: bytes))
      }
      match.accounts = nil
    case .matchEnd:
      matches[head.match] = nil
      release(match)
      if position >= archived { try matchDidEnd(match, at: record.time(in: bytes)) }
    case .other: break
    }
  }

  private func gameDidEnd(
    in match: OpenMatch, with outcome: Outcome, at time: Int
  ) throws {
    let result = GameResult(
      match: match.id, game: match.game, players: match.ofLastGame(match.players),
      accounts: match.accounts, outcome: outcome, moves: match.moves, ended: time)
    try archive.add(result, keys: match.ofLastGame(match.keys))
    if let accounts = match.accounts { changes += try archive.rate(result, for: accounts) }
  }

  private func matchDidEnd(_ match: OpenMatch, at time: Int) throws {
    guard match.games > 0 else { return }
    var lines: [UInt8] = []
    try match.events.forEach { try append($0, to: &lines) }
    let header = ReplayHeader(
      match: match.id, game: match.game, players: match.players, last: match.events.count)
    try archive.add(MatchLines(header: header, lines: lines), ended: time)
  }

  /// Appends the line of an event with its LF.
  private func append(_ event: JournalPosition, to lines: inout [UInt8]) throws {
    try bytes(of: event.segment).withUnsafeBytes { bytes in
      lines += bytes[event.offset..<bytes.end(ofLineAt: event.offset)]
    }
    lines.append(UInt8(ascii: "\n"))
  }
}
