/// Well-formed UTF-8, by table 3-7 of the Unicode Standard: no overlong form, no surrogate, nothing
/// above U+10FFFF.
enum UTF8Sequence {
  /// How many bytes the character that begins at a position has; `nil` where they are not UTF-8.
  static func count(_ bytes: Span<UInt8>, at position: Int) -> Int? {
    let second: ClosedRange<UInt8>
    let count: Int
    switch bytes[position] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: (second, count) = (0x80...0xBF, 2)
    case 0xE0: (second, count) = (0xA0...0xBF, 3)
    case 0xED: (second, count) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, count) = (0x80...0xBF, 3)
    case 0xF0: (second, count) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, count) = (0x80...0xBF, 4)
    case 0xF4: (second, count) = (0x80...0x8F, 4)
    default: return nil
    }
    guard position + count <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
    for index in position + 2..<position + count where bytes[index] & 0xC0 != 0x80 { return nil }
    return count
  }

  static func isValid(_ bytes: Span<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      guard let count = count(bytes, at: position) else { return false }
      position += count
    }
    return true
  }
}
