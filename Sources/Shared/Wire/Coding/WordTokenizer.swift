/// A word of a line in words, without its quotes.
struct Word {
  /// Its location in the line.
  let range: Range<Int>
  /// `""`, which leaves the field out.
  let isOmitted: Bool
  /// It has a double quote where none is allowed.
  let isMalformed: Bool
}

/// Splits a line into words, which are separated by spaces and tabs. A word in double quotes can
/// contain both.
struct WordTokenizer {
  private var position = 0

  /// Returns the next word; `nil` after the last.
  mutating func next(in bytes: Span<UInt8>) -> Word? {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { return nil }
    guard bytes[position] == UInt8(ascii: "\"") else { return plain(in: bytes) }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    let range = start..<position
    position += 1
    // A quote that does not close takes the rest of the line with it.
    guard position < bytes.count, !Self.isSpace(bytes[position]) else {
      let isClosed = position <= bytes.count
      return Word(range: range, isOmitted: isClosed && range.isEmpty, isMalformed: !isClosed)
    }
    while position < bytes.count, !Self.isSpace(bytes[position]) { position += 1 }
    return Word(range: start..<position, isOmitted: false, isMalformed: true)
  }

  /// Returns the rest of the line from the next word on, unchanged; `nil` if nothing is left.
  mutating func rest(of bytes: Span<UInt8>) -> Word? {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { return nil }
    defer { position = bytes.count }
    return Word(range: position..<bytes.count, isOmitted: false, isMalformed: false)
  }

  private mutating func plain(in bytes: Span<UInt8>) -> Word {
    let start = position
    var isMalformed = false
    while position < bytes.count, !Self.isSpace(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\"") { isMalformed = true }
      position += 1
    }
    return Word(range: start..<position, isOmitted: false, isMalformed: isMalformed)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
