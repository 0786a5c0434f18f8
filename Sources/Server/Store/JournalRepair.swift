import Foundation
import Shared

/// Writes a damaged journal again, with all that is whole.
///
/// Each record keeps its position, because the archive knows positions: a record of kind `x` takes
/// the place of a removed one. The checksums are new, because each depends on the record before it.
/// The damaged files are kept in a folder of their own. An empty segment takes the place of one
/// that is missing.
struct JournalRepair {
  private let folder: DataFolder
  private let games: GameRegistry
  private let archived: ArchivedMatches
  private let onProgress: (Int) -> Void

  /// `onProgress` is called with the number of bytes that are read next. All bytes are read three
  /// times.
  init(
    _ folder: DataFolder, games: GameRegistry, archived: ArchivedMatches = ArchivedMatches(),
    onProgress: @escaping (Int) -> Void = { _ in }
  ) {
    self.archived = archived
    self.folder = folder
    self.games = games
    self.onProgress = onProgress
  }

  /// - Returns: what became of the matches, where the damaged files are, and what became of the
  ///   files, as sentences for people.
  /// - Throws: errors of the system, and `JournalDamage` or a sentence for people if this is beyond
  ///   repair. Nothing has changed then.
  func run() throws -> (verdicts: [MatchVerdict], damagedFiles: String, notes: [String]) {
    let parser = RecordParser()
    let order = try order(with: parser)
    var survey = JournalSurvey(games, archived)
    for segment in order.segments {
      try read(segment) { bytes in
        parser.scan(bytes, number: segment.number) { survey.apply($0, in: bytes) }
      }
    }
    let verdicts = survey.verdicts
    let target = try folder.beginRepair()
    var writer = SegmentRewriter(
      verdicts, matches: survey.matchesBegun, first: order.segments.first?.number ?? 1)
    for segment in order.segments {
      let bytes = try read(segment) { bytes in
        writer.rewrite(
          bytes, number: segment.number, isLast: segment == order.segments.last)
      }
      try NewFile.write(bytes, to: target.file(segment.number))
    }
    try target.synchronize()
    // What cannot be read again must not take the place of what was there.
    _ = try JournalCheck(folder: target, games: games).run()
    return (verdicts, try folder.finishRepair(), order.notes)
  }

  private func order(with parser: borrowing RecordParser) throws -> SegmentOrder {
    var files: [Int: SegmentOrder.Contents] = [:]
    for number in try folder.journal.numbers() {
      let bytes = try folder.journal.bytes(of: number)
      onProgress(bytes.count)
      files[number] = bytes.withUnsafeBytes {
        SegmentOrder.Contents($0, with: parser, number: number)
      }
    }
    return try SegmentOrder(files, intruders: try folder.journal.intruders())
  }

  private func read<Result>(
    _ segment: SegmentOrder.Segment, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let bytes = try segment.file.map(folder.journal.bytes) ?? Data()
    onProgress(bytes.count)
    return try bytes.withUnsafeBytes(body)
  }
}

/// Makes the new bytes of the segments of a damaged journal, one after the other.
private struct SegmentRewriter: ~Copyable {
  private let losses: [String: MatchVerdict]
  private let parser = RecordParser()
  private var end = JournalEnd()
  private var time = RecordTime()
  private var buffer = RecordBuffer()
  /// The number of matches that had begun before a segment whose header is damaged.
  private var begun: Int

  private enum Part {
    case kept(JournalRecord)
    case removed(Int)

    var count: Int {
      switch self {
      case .kept(let record): record.count
      case .removed(let count): count
      }
    }

    var isRemoved: Bool {
      if case .removed = self { return true }
      return false
    }
  }

  /// `matches` is how many have begun, and `first` the number of the first segment.
  init(_ verdicts: [MatchVerdict], matches: Int, first: Int) {
    end.position.segment = first - 1
    losses = Dictionary(
      uniqueKeysWithValues: verdicts.filter { $0.loss != .none }.map { ($0.match, $0) })
    begun = matches
    time.set(milliseconds: 0)
  }

  /// Segments come in order.
  mutating func rewrite(
    _ bytes: UnsafeRawBufferPointer, number: Int, isLast: Bool
  ) -> [UInt8] {
    var header: SegmentHeader?
    var parts: [Part] = []
    var begunHere = begun
    parser.scan(bytes, number: number) { piece in
      switch piece {
      case .gap(_, let count): parts.append(.removed(count))
      case .record(let record):
        if record.kind == .beginning { begunHere += 1 }
        if record.kind == .header, let found = SegmentHeader(bytes[record.payload]) {
          if record.position.offset == 0 { header = found }
          begunHere = found.matches
        }
        parts.append(keeps(record, bytes) ? .kept(record) : .removed(record.count))
      }
    }
    // The last segment may have been prepared without being used.
    if parts.isEmpty, isLast { return [] }
    buffer.removeAll()
    var rest = parts[...]
    begin(number, matches: header?.matches ?? begun, &rest)
    begun = begunHere
    while let part = rest.first {
      switch part {
      case .kept(let record):
        time.set(milliseconds: record.time)
        append(record.kind, Array(bytes[record.payload]))
        rest.removeFirst()
      case .removed: appendRemoved(Self.take(&rest, atLeast: JournalRecord.overhead))
      }
    }
    // No record `s`, so that the next start knows that something was lost.
    if isLast { appendRemoved(JournalRecord.overhead) }
    return Array(buffer.bytes)
  }

  private func keeps(_ record: JournalRecord, _ bytes: UnsafeRawBufferPointer) -> Bool {
    // Each segment gets a new header. Others only count matches.
    if record.kind == .header { return record.position.offset > 0 }
    guard let match = JournalSurvey.match(of: record, in: bytes), let verdict = losses[match]
    else { return true }
    guard case .cut = verdict.loss, let damage = verdict.damage else { return false }
    // Tokens are those of the players' clients, whatever has become of the match.
    return record.kind == .token || record.position < damage
  }

  /// Removes the parts that are to be replaced, with as many others as the replacement needs.
  ///
  /// - Returns: their size. At the end of the segment it may be less.
  private static func take(_ parts: inout ArraySlice<Part>, atLeast least: Int) -> Int {
    var count = 0
    while let part = parts.first, count < least || part.isRemoved {
      count += part.count
      parts.removeFirst()
    }
    return count
  }

  /// Appends the header of a segment in place of the old one.
  private mutating func begin(_ number: Int, matches: Int, _ parts: inout ArraySlice<Part>) {
    var payload = Array(SegmentHeader(previous: end, matches: matches).text.utf8)
    end = JournalEnd(position: JournalPosition(segment: number, offset: 0))
    let least = payload.count + JournalRecord.overhead
    let spare = max(0, Self.take(&parts, atLeast: least) - least)
    if spare < JournalRecord.overhead {
      payload += Array(repeating: UInt8(ascii: " "), count: spare)
    }
    append(.header, payload)
    appendRemoved(spare)
  }

  /// Appends a record that has the size of what it replaces. Does nothing if there is not enough
  /// room for one.
  private mutating func appendRemoved(_ count: Int) {
    guard count >= JournalRecord.overhead else { return }
    let spaces = Array(repeating: UInt8(ascii: " "), count: count - JournalRecord.overhead)
    append(.removed, spaces)
  }

  private mutating func append(_ kind: RecordKind, _ payload: [UInt8]) {
    buffer.append(kind, time.prefix, payload.span, after: &end.digits)
    end.position.offset += payload.count + JournalRecord.overhead
  }
}
