import Foundation
import Shared

/// A record of the journal, as the archiver reads it again. Its checksum was checked when the
/// server was started, or the process itself has written it.
struct ArchivedRecord {
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

/// The id of a match in the bytes of a record: cheaper to make and to compare than a string.
struct MatchKey: Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// `nil` for an id that no match has: `MatchID` makes them of up to 9 bytes.
  init?(_ id: some Collection<UInt8>) {
    guard id.count <= 16 else { return nil }
    for byte in id {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
  }

  init?(_ id: String) { self.init(id.utf8) }
}

/// The first two fields of an event, which are all that most events are read for.
struct EventHead {
  enum Kind {
    case gameStart, move, gameEnd, matchEnd, other
  }

  let kind: Kind
  let match: MatchKey

  /// `nil` for anything but an event of a match.
  init?(_ line: UnsafeRawBufferPointer) {
    guard let type = line.string(after: #"{"type":""#, from: 0),
      let match = line.string(after: #"","match":""#, from: type.upperBound),
      let key = MatchKey(line[match])
    else { return nil }
    self.match = key
    kind =
      if line.has("boardDidChange", at: type) {
        .move
      } else if line.has("gameDidStart", at: type) {
        .gameStart
      } else if line.has("gameDidEnd", at: type) {
        .gameEnd
      } else if line.has("matchDidEnd", at: type) {
        .matchEnd
      } else {
        .other
      }
  }
}

extension Outcome {
  /// Reads the outcome from the line of a `gameDidEnd`, without the cells of its line. No other
  /// text is in such a line, so the fields need not be looked for more carefully.
  init(ofLine line: UnsafeRawBufferPointer) {
    func value(of field: StaticString) -> String? {
      line.start(of: field).flatMap { line.string(after: field, from: $0) }
        .map { String(decoding: line[$0], as: UTF8.self) }
    }
    self.init(
      winner: value(of: #""winner":""#).map { $0 == Mark.x.letter ? .x : .o },
      reason: value(of: #""reason":""#).flatMap(Reason.init) ?? .full)
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the next LF, or of the end.
  func end(ofLineAt start: Int) -> Int {
    index(of: UInt8(ascii: "\n"), from: start) ?? count
  }

  private func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, CInt(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Where a text begins that itself begins with a quotation mark.
  func start(of text: StaticString) -> Int? {
    var start = 0
    while let quote = index(of: UInt8(ascii: "\""), from: start) {
      if has(text, at: quote..<quote + text.utf8CodeUnitCount) { return quote }
      start = quote + 1
    }
    return nil
  }

  /// Whether just this text is in a range.
  func has(_ text: StaticString, at range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount, range.upperBound <= count, let base = baseAddress
    else { return false }
    return memcmp(base + range.lowerBound, text.utf8Start, range.count) == 0
  }

  /// Where the string is that follows a field at `start` and ends with a quotation mark.
  func string(after field: StaticString, from start: Int) -> Range<Int>? {
    let first = start + field.utf8CodeUnitCount
    guard has(field, at: start..<first) else { return nil }
    return index(of: UInt8(ascii: "\""), from: first).map { first..<$0 }
  }
}
