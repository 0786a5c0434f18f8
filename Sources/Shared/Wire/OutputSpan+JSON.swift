/// The same for a piece of a line whose room is known beforehand: there is one look at the array for
/// all that the piece holds. A piece that is too large for its room is a programmer error.
extension OutputSpan<UInt8> {
  /// Most bytes of an integer.
  static var longestNumber: Int { 20 }

  // Inlined, because a copy whose length is known is a few moves.
  @inline(__always)
  mutating func append(json text: StaticString) {
    precondition(text.utf8CodeUnitCount <= freeCapacity, "a piece of a line fits into its room")
    withUnsafeMutableBufferPointer { buffer, count in
      guard let start = buffer.baseAddress else { return }
      (start + count).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
      count += text.utf8CodeUnitCount
    }
  }

  mutating func append(_ mark: Mark) {
    append(UInt8(ascii: "\""))
    append(mark.rawValue)
    append(UInt8(ascii: "\""))
  }

  mutating func append(decimal number: Int) {
    let size = number.magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    // Rows and columns are nearly always of one digit.
    guard size >= 10 else { return append(UInt8(ascii: "0") + UInt8(size)) }
    var digits = 2
    var next: UInt = 100
    while digits < 19, size >= next {
      digits += 1
      next *= 10
    }
    append(repeating: 0, count: digits)
    withUnsafeMutableBufferPointer { buffer, count in
      var rest = size
      for place in stride(from: count - 1, through: count - digits, by: -1) {
        buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  /// Appends a string of UTF-8; an escape is at most 6 bytes for one.
  mutating func append(quoted utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    if utf8.allSatisfy(Self.isPlain) {
      append(copyOf: utf8)
    } else {
      append(escapedWhereNeeded: utf8)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends bytes as they are.
  @inline(__always)
  mutating func append(copyOf bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= freeCapacity, "a piece of a line fits into its room")
    withUnsafeMutableBufferPointer { buffer, count in
      _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).initialize(fromContentsOf: bytes)
      count += bytes.count
    }
  }

  /// ASCII that no string need escape: nearly all that stands in one.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(escapedWhereNeeded utf8: UnsafeBufferPointer<UInt8>) {
    var last: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case ..<0x20, 0x7F:
        append(escaped: byte)
      case 0x80...0x9F where last == 0xC2:
        // C2 80 to C2 9F are U+0080 to U+009F; the C2 is there already.
        _ = removeLast()
        append(escaped: byte)
      default:
        append(byte)
      }
      last = byte
    }
  }

  /// Appends `\u00XX`.
  private mutating func append(escaped byte: UInt8) {
    append(json: "\\u00")
    append(Self.hexDigit(UInt32(byte) >> 4))
    append(Self.hexDigit(UInt32(byte)))
  }

  private static func hexDigit(_ number: UInt32) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number & 0xF)
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
