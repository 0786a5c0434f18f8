import Foundation
import Shared

/// A record of the journal, as the archiver reads it again. Its checksum was checked when the
/// server was started, or the process itself has written it.
struct ArchivedRecord {
  let kind: RecordKind?
  let payload: Range<Int>

  /// `nil` after the last record.
  init?(in bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset + JournalRecord.overhead <= bytes.count, bytes[offset] != 0 else { return nil }
    let end = bytes.end(ofLineAt: offset)
    guard end < bytes.count, end >= offset + JournalRecord.overhead - 1 else { return nil }
    kind = RecordKind(rawValue: bytes[offset + 23])
    payload = offset + 25..<end
  }

  /// In milliseconds since 1970. `bytes` are those that the record was read from.
  func time(in bytes: UnsafeRawBufferPointer) -> Int {
    bytes[payload.lowerBound - 16..<payload.lowerBound - 3]
      .reduce(0) { 10 * $0 + Int($1 & 15) }
  }
}

/// The id of a match in the bytes of a record, of which each has seven bits: cheaper to make and to
/// compare than a string.
struct MatchKey: Hashable {
  private let bits: UInt64

  /// `nil` for an id that no match has: `MatchID` makes them of up to 9 letters.
  init?(_ id: some Collection<UInt8>) {
    guard id.count <= 9 else { return nil }
    var bits: UInt64 = 0
    for byte in id {
      guard byte < 0x80 else { return nil }
      bits = bits << 7 | UInt64(byte)
    }
    self.bits = bits
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
    let id: Range<Int>
    // Most events are moves.
    if let found = line.string(after: #"{"type":"boardDidChange","match":""#, from: 0) {
      (kind, id) = (.move, found)
    } else if let found = line.string(after: #"{"type":"gameDidStart","match":""#, from: 0) {
      (kind, id) = (.gameStart, found)
    } else if let found = line.string(after: #"{"type":"gameDidEnd","match":""#, from: 0) {
      (kind, id) = (.gameEnd, found)
    } else if let found = line.string(after: #"{"type":"matchDidEnd","match":""#, from: 0) {
      (kind, id) = (.matchEnd, found)
    } else if let type = line.string(after: #"{"type":""#, from: 0),
      let found = line.string(after: #"","match":""#, from: type.upperBound)
    {
      (kind, id) = (.other, found)
    } else {
      return nil
    }
    guard let key = MatchKey(line[id]) else { return nil }
    match = key
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

  /// Where a text begins that has at least two bytes. The second is looked for, because the first
  /// is the quotation mark of a field, of which a line has many.
  func start(of text: StaticString) -> Int? {
    var start = 1
    while let second = index(of: text.utf8Start[1], from: start) {
      if has(text, at: second - 1..<second - 1 + text.utf8CodeUnitCount) { return second - 1 }
      start = second + 1
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
