/// A word of a line in words, without its quotes.
struct Word {
  /// Where it stands in the line.
  let range: Range<Int>
  /// `""`: the field is left out.
  let isOmitted: Bool
  /// A quote stands where none may.
  let isMalformed: Bool
}

/// Walks through a line in words. Spaces and tabs separate them; inside quotes, which open at the
/// beginning of a word and close at its end, nothing is special.
struct WordTokenizer {
  private var position = 0

  /// The next word; `nil` after the last.
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

  /// All from the next word to the end of the line, as it is; `nil` where there is nothing.
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
