/// The strings of RFC 8259.
enum JSONString {
  /// Reads the string that begins at a position, and moves the position behind it. Escapes are
  /// undone in place: what they stand for is never longer than they are.
  static func read(_ bytes: inout [UInt8], at position: inout Int) throws(BadJSON) -> JSONText {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw BadJSON() }
    position += 1
    let start = position
    try skipPlain(bytes, &position)
    var end = position
    while bytes[position] != UInt8(ascii: "\"") {
      let scalar = try readEscape(bytes, at: &position)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        bytes[end] = byte
        end += 1
      }
      let plain = position
      try skipPlain(bytes, &position)
      for index in plain..<position {
        bytes[end] = bytes[index]
        end += 1
      }
    }
    position += 1
    return JSONText(start..<end)
  }

  /// Moves to the next quote or backslash, which must come.
  private static func skipPlain(_ bytes: [UInt8], _ position: inout Int) throws(BadJSON) {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        return
      case ..<0x20:
        throw BadJSON()
      case ..<0x80:
        position += 1
      default:
        guard let count = UTF8Sequence.count(bytes, at: position) else { throw BadJSON() }
        position += count
      }
    }
    throw BadJSON()
  }

  /// Reads an escape, or two that are the halves of a surrogate pair.
  private static func readEscape(
    _ bytes: [UInt8], at position: inout Int
  ) throws(BadJSON) -> Unicode.Scalar {
    guard position + 1 < bytes.count else { throw BadJSON() }
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
    default: throw BadJSON()
    }
    let unit = try readHex(bytes, at: &position)
    // A first half must be followed by a second one; a second half alone is no scalar.
    guard UTF16.isLeadSurrogate(unit) else {
      guard let scalar = Unicode.Scalar(unit) else { throw BadJSON() }
      return scalar
    }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw BadJSON() }
    position += 2
    let second = try readHex(bytes, at: &position)
    guard UTF16.isTrailSurrogate(second) else { throw BadJSON() }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private static func readHex(
    _ bytes: [UInt8], at position: inout Int
  ) throws(BadJSON) -> UInt16 {
    guard position + 4 <= bytes.count else { throw BadJSON() }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
      default: throw BadJSON()
      }
    }
    position += 4
    return unit
  }
}
