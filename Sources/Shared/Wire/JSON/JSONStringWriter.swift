/// Writes a string of JSON, in its quotes.
enum JSONStringWriter {
  /// The maximum number of bytes of an encoded string: each of its bytes is escaped.
  static func maxCount(_ string: String) -> Int { 6 * string.utf8.count + 2 }

  /// Writes a string and returns the address after it. Escapes only what JSON requires, and control
  /// characters (Cc).
  @inline(never)
  static func write(
    quoted string: String, at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    withUTF8(of: string) { utf8 in
      start.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
      var end = start + 1
      for byte in utf8 {
        guard isPlain(byte) else {
          end = write(escapedWhereNeeded: utf8, at: start + 1)
          break
        }
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
      }
      end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
      return end + 1
    }
  }

  /// The same for a string in which nothing must be escaped.
  @inline(never)
  static func write(
    plain string: String, at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    withUTF8(of: string) { utf8 in
      var end = start
      put(UInt8(ascii: "\""), &end)
      for byte in utf8 { put(byte, &end) }
      put(UInt8(ascii: "\""), &end)
      return end
    }
  }

  /// Avoids a copy of the string, which would count a reference.
  @inline(__always)
  private static func withUTF8(
    of string: String, _ body: (UnsafeBufferPointer<UInt8>) -> UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let end = string.utf8.withContiguousStorageIfAvailable(body) { return end }
    var copy = string
    return copy.withUTF8(body)
  }

  /// Whether a byte is ASCII that need not be escaped, as nearly all bytes are.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  @inline(never)
  private static func write(
    escapedWhereNeeded utf8: UnsafeBufferPointer<UInt8>, at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var end = start
    for (index, byte) in utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        put(UInt8(ascii: "\\"), &end)
        put(byte, &end)
      case ..<0x20, 0x7F:
        put(escaped: byte, &end)
      case 0xC2 where index + 1 < utf8.count && utf8[index + 1] < 0xA0:
        // C2 80 to C2 9F are U+0080 to U+009F; of the two bytes the second is the number.
        break
      case 0x80...0x9F where index > 0 && utf8[index - 1] == 0xC2:
        put(escaped: byte, &end)
      default:
        put(byte, &end)
      }
    }
    return end
  }

  /// Puts `\u00XX`.
  private static func put(escaped byte: UInt8, _ end: inout UnsafeMutableRawPointer) {
    for letter in [UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")] {
      put(letter, &end)
    }
    put(hexDigit(byte >> 4), &end)
    put(hexDigit(byte & 0xF), &end)
  }

  private static func hexDigit(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  @inline(__always)
  private static func put(_ byte: UInt8, _ end: inout UnsafeMutableRawPointer) {
    end.storeBytes(of: byte, as: UInt8.self)
    end += 1
  }
}
