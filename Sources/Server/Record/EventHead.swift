import Foundation
import Shared

/// The first two fields of an event, which are all that most events are read for.
struct EventHead {
  enum Kind {
    case gameStart, move, gameEnd, matchEnd, other
  }

  let kind: Kind
  /// Where the id of the match is in the line.
  let match: Range<Int>

  /// `nil` for anything but an event of a match.
  init?(_ line: UnsafeRawBufferPointer) {
    // Most events are moves.
    if let found = line.string(after: #"{"type":"boardDidChange","match":""#, from: 0) {
      (kind, match) = (.move, found)
    } else if let found = line.string(after: #"{"type":"gameDidStart","match":""#, from: 0) {
      (kind, match) = (.gameStart, found)
    } else if let found = line.string(after: #"{"type":"gameDidEnd","match":""#, from: 0) {
      (kind, match) = (.gameEnd, found)
    } else if let found = line.string(after: #"{"type":"matchDidEnd","match":""#, from: 0) {
      (kind, match) = (.matchEnd, found)
    } else if let type = line.string(after: #"{"type":""#, from: 0),
      let found = line.string(after: #"","match":""#, from: type.upperBound)
    {
      (kind, match) = (.other, found)
    } else {
      return nil
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
  /// The number of bytes up to the last one that is not zero. The room of a segment is taken in
  /// advance, so up to 64 MiB of zeros may follow; they are read in words.
  var usedCount: Int {
    var end = count
    while end >= 8, loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
    while end > 0, self[end - 1] == 0 { end -= 1 }
    return end
  }

  /// The index of the next LF, or of the end.
  func end(ofLineAt start: Int) -> Int {
    index(of: UInt8(ascii: "\n"), from: start) ?? count
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
