import Foundation
import Shared

/// The journal is damaged where it was certainly on the disk.
struct JournalDamage: Error, Equatable {
  let position: JournalPosition
  /// For people: what is wrong there.
  let reason: String
}

/// Where the whole records of a journal end.
struct JournalEnd: Equatable {
  var position = JournalPosition(segment: 0, offset: 0)
  /// The digits of the last record.
  var digits = CRC32C.noDigits
  /// The number of bytes after the end that belong to no whole record.
  var torn = 0
}

/// Reads the segments of a journal, in order. Segments are allocated ahead, so zeros follow the
/// last record.
struct JournalReader: ~Copyable {
  private let parser = RecordParser()
  private var end = JournalEnd()

  /// Calls `body` with each whole record and the bytes of its segment.
  ///
  /// A record that is not whole ends the journal, because a process or a machine that dies can
  /// leave one; but not if it was on the disk according to a later record.
  ///
  /// - Throws: `JournalDamage`; the errors of `load` and `body`.
  mutating func read(
    _ numbers: [Int], load: (Int) throws -> Data,
    _ body: (JournalRecord, Span<UInt8>) throws -> Void
  ) throws -> JournalEnd {
    if let first = numbers.first { end.position.segment = first }
    try Self.checkNumbers(numbers)
    for (index, number) in numbers.enumerated() {
      let isWhole = try load(number).withUnsafeBytes { bytes in
        try read(bytes, number: number, isFirst: index == 0, isLast: number == numbers.last, body)
      }
      guard !isWhole else { continue }
      try checkThatRestIsUnsynced(numbers[index...], load: load)
      break
    }
    return end
  }

  /// - Throws: `JournalDamage` if a segment is missing between others. A process that dies leaves
  ///   no gap.
  private static func checkNumbers(_ numbers: [Int]) throws(JournalDamage) {
    for (number, next) in zip(numbers, numbers.dropFirst()) where next != number + 1 {
      throw JournalDamage(
        position: JournalPosition(segment: next, offset: 0),
        reason: "the file before it, \(SegmentFolder.name(next - 1)), is missing")
    }
  }

  /// Returns whether the segment is whole and follows the one before.
  ///
  /// - Throws: `JournalDamage` if it is another segment; the errors of `body`.
  private mutating func read(
    _ bytes: UnsafeRawBufferPointer, number: Int, isFirst: Bool, isLast: Bool,
    _ body: (JournalRecord, Span<UInt8>) throws -> Void
  ) throws -> Bool {
    var (offset, digits) = (0, CRC32C.noDigits)
    while !Self.isZero(bytes[offset...]) {
      let position = JournalPosition(segment: number, offset: offset)
      guard let record = parser.record(in: bytes, at: position, after: digits) else { return false }
      if offset == 0 {
        guard record.kind == .header, let header = SegmentHeader(bytes[record.payload]) else {
          return false
        }
        let previous = header.previous.position.segment
        guard isFirst ? previous < number : previous == number - 1 else {
          throw JournalDamage(
            position: position,
            reason: "its records are those of \(SegmentFolder.name(previous + 1))")
        }
        guard isFirst || header.follows(end) else { return false }
      }
      try body(record, Span(_unsafeElements: bytes.bindMemory(to: UInt8.self)))
      offset += record.count
      digits = record.digits
      end = JournalEnd(
        position: JournalPosition(segment: number, offset: offset), digits: digits)
    }
    // The last segment may have been prepared without being used.
    return offset > 0 || isLast
  }

  /// Counts the bytes after the end.
  ///
  /// - Throws: if a whole record after the end says that they were on the disk.
  private mutating func checkThatRestIsUnsynced(
    _ numbers: ArraySlice<Int>, load: (Int) throws -> Data
  ) throws {
    for number in numbers {
      try load(number).withUnsafeBytes { bytes in
        let start = number == end.position.segment ? end.position.offset : 0
        let used = bytes.usedCount
        end.torn += max(0, used - start)
        guard let synced = lastSynced(in: bytes[..<used]), synced > end.position else { return }
        throw JournalDamage(position: end.position, reason: "a record is damaged")
      }
    }
  }

  /// Returns the position in the last whole record `s`. Records around a damaged one are whole:
  /// a checksum needs only the digits of the record before.
  private func lastSynced(in slice: Slice<UnsafeRawBufferPointer>) -> JournalPosition? {
    let bytes = UnsafeRawBufferPointer(rebasing: slice)
    var last: JournalPosition?
    var starts = RecordParser.Starts()
    for start in bytes.indices where parser.mayStart(at: start, in: bytes) {
      if bytes[start + RecordLine.kind] == RecordKind.synced.rawValue,
        let end = parser.end(of: start, in: bytes, after: starts),
        let synced = SyncedPosition.parse(bytes[start + RecordLine.payload..<end])
      {
        last = synced
      }
      starts.add(start)
    }
    return last
  }

  private static func isZero(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = bytes.first, let start = bytes.base.baseAddress else { return true }
    let begin = start + bytes.startIndex
    return first == 0 && memcmp(begin, begin + 1, bytes.count - 1) == 0
  }
}

/// The payload of a segment's first record: `journal VERSION SEGMENT LENGTH DIGITS MATCHES`. It
/// names the segment before, its length and the digits of its last record, and how many matches
/// have begun. Elsewhere in a segment only that last number counts: ids were left out.
struct SegmentHeader: Equatable {
  private static let version = "1"
  /// The maximum number of bytes of its record.
  static let maxRecord = 128

  let previous: JournalEnd
  let matches: Int

  init(previous: JournalEnd, matches: Int) {
    self.previous = previous
    self.matches = matches
  }

  init?(_ bytes: some Collection<UInt8>) {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count == 6, words[0] == "journal", words[1] == Self.version,
      let segment = Int(words[2]), let length = Int(words[3]), words[4].utf8.count == 8,
      let matches = Int(words[5])
    else { return nil }
    let digits = Array(words[4].utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    previous = JournalEnd(
      position: JournalPosition(segment: segment, offset: length), digits: digits)
    self.matches = matches
  }

  var text: String {
    let digits = withUnsafeBytes(of: previous.digits) { String(decoding: $0, as: UTF8.self) }
    return
      "journal \(Self.version) \(previous.position.segment) \(previous.position.offset) \(digits)"
      + " \(matches)"
  }

  /// Whether the segment before is whole.
  func follows(_ end: JournalEnd) -> Bool { previous == end }
}

/// The payload of a record `s`: `SEGMENT OFFSET`.
enum SyncedPosition {
  static let maxLength = 40

  static func text(_ position: JournalPosition) -> String {
    "\(position.segment) \(position.offset)"
  }

  static func parse(_ bytes: some Collection<UInt8>) -> JournalPosition? {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 2, let segment = Int(words[0]), let offset = Int(words[1]) else {
      return nil
    }
    return JournalPosition(segment: segment, offset: offset)
  }
}
