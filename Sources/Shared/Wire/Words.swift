/// A word of a line in words, without its quotes.
struct Word {
  let text: JSONText
  /// `""`: the field is left out.
  let isLeftOut: Bool
  /// A quote stands where none may.
  let isBroken: Bool
}

/// Walks through a line in words. Spaces and tabs separate them; inside quotes, which open at the
/// beginning of a word and close at its end, nothing is special.
struct Words {
  private let end: Int
  private var position = 0

  /// Of a line that is the first `end` bytes.
  init(end: Int) {
    self.end = end
  }

  /// The next word; `nil` after the last.
  mutating func next(in bytes: [UInt8]) -> Word? {
    while position < end, Self.isSpace(bytes[position]) { position += 1 }
    guard position < end else { return nil }
    guard bytes[position] == UInt8(ascii: "\"") else { return plain(in: bytes) }
    position += 1
    let start = position
    while position < end, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    let text = JSONText(start..<position)
    position += 1
    // A quote that does not close takes the rest of the line with it.
    guard position < end, !Self.isSpace(bytes[position]) else {
      let isClosed = position <= end
      return Word(text: text, isLeftOut: isClosed && text.count == 0, isBroken: !isClosed)
    }
    while position < end, !Self.isSpace(bytes[position]) { position += 1 }
    return Word(text: JSONText(start..<position), isLeftOut: false, isBroken: true)
  }

  private mutating func plain(in bytes: [UInt8]) -> Word {
    let start = position
    var isBroken = false
    while position < end, !Self.isSpace(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\"") { isBroken = true }
      position += 1
    }
    return Word(text: JSONText(start..<position), isLeftOut: false, isBroken: isBroken)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
