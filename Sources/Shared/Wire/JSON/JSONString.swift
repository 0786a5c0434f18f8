/// The strings of RFC 8259.
enum JSONString {
  /// Reads the string at a position, moves the position past it and returns the location of its
  /// characters. Escapes are replaced in `copy`, which is a copy of the line, at the same location:
  /// a character is never longer than its escape.
  ///
  /// - Throws: if there is no valid string at the position.
  static func read(
    _ line: Span<UInt8>, at position: inout Int, unescapingTo copy: inout [UInt8]
  ) throws(JSONError) -> Range<Int> {
    guard position < line.count, line[position] == UInt8(ascii: "\"") else { throw JSONError() }
    position += 1
    let start = position
    position = try endOfPlain(line, from: start)
    var end = position
    while line[position] != UInt8(ascii: "\"") {
      let scalar = try readEscape(line, at: &position)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        copy[end] = byte
        end += 1
      }
      let plain = position
      position = try endOfPlain(line, from: plain)
      for index in plain..<position {
        copy[end] = line[index]
        end += 1
      }
    }
    position += 1
    return start..<end
  }

  /// Returns the position of the next quote or backslash. Throws if there is none.
  private static func endOfPlain(_ line: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var position = start
    while position < line.count {
      switch line[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        return position
      case 0x20..<0x80:
        position += 1
      case ..<0x20:
        throw JSONError()
      default:
        guard let count = UTF8Sequence.count(line, at: position) else { throw JSONError() }
        position += count
      }
    }
    throw JSONError()
  }

  /// Reads an escape, or two that are the halves of a surrogate pair.
  private static func readEscape(
    _ bytes: Span<UInt8>, at position: inout Int
  ) throws(JSONError) -> Unicode.Scalar {
    guard position + 1 < bytes.count else { throw JSONError() }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONError()
    }
    let unit = try readHex(bytes, at: &position)
    // A first half must be followed by a second one; a second half alone is no scalar.
    guard UTF16.isLeadSurrogate(unit) else {
      guard let scalar = Unicode.Scalar(unit) else { throw JSONError() }
      return scalar
    }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw JSONError() }
    position += 2
    let second = try readHex(bytes, at: &position)
    guard UTF16.isTrailSurrogate(second) else { throw JSONError() }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private static func readHex(
    _ bytes: Span<UInt8>, at position: inout Int
  ) throws(JSONError) -> UInt16 {
    guard position + 4 <= bytes.count else { throw JSONError() }
    var unit: UInt16 = 0
    for index in position..<position + 4 {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
      default: throw JSONError()
      }
    }
    position += 4
    return unit
  }
}

/// Well-formed UTF-8, by table 3-7 of the Unicode Standard: no overlong form, no surrogate, nothing
/// above U+10FFFF.
enum UTF8Sequence {
  /// The number of bytes of the character at a position; `nil` if they are not UTF-8.
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
