/// The strings of RFC 8259.
enum JSONString {
  /// Reads the string that begins at a position, moves the position behind it and tells where its
  /// characters stand. Where there are escapes, the characters are written to the same place of
  /// `copy`, which has the bytes of the line: what escapes stand for is never longer than they are.
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

  /// Answers the position of the next quote or backslash, which must come.
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
