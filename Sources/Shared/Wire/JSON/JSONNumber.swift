/// The numbers of RFC 8259.
enum JSONNumber {
  /// Reads the number at a position and moves the position past it. Returns `.integer`, or
  /// `.number` if it has a fraction or an exponent or is too large; `nil` if there is no number.
  static func read(_ bytes: Span<UInt8>, at position: inout Int) -> JSONNode? {
    let isNegative = isNext(UInt8(ascii: "-"), bytes, position)
    if isNegative { position += 1 }
    var isInteger = true
    let first = position
    var size = 0
    while position < bytes.count, let digit = digit(bytes[position]) {
      if size <= ProtocolLimits.maxInteger { size = size * 10 + digit }
      position += 1
    }
    guard position > first, bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
      return nil
    }
    if isNext(UInt8(ascii: "."), bytes, position) {
      isInteger = false
      position += 1
      guard skipDigits(bytes, &position) else { return nil }
    }
    if isNext(UInt8(ascii: "e"), bytes, position) || isNext(UInt8(ascii: "E"), bytes, position) {
      isInteger = false
      position += 1
      if isNext(UInt8(ascii: "+"), bytes, position) || isNext(UInt8(ascii: "-"), bytes, position) {
        position += 1
      }
      guard skipDigits(bytes, &position) else { return nil }
    }
    guard isInteger, size <= ProtocolLimits.maxInteger else { return .number }
    return .integer(isNegative ? -size : size)
  }

  /// Skips digits. Returns false if there is none.
  private static func skipDigits(_ bytes: Span<UInt8>, _ position: inout Int) -> Bool {
    let first = position
    while position < bytes.count, digit(bytes[position]) != nil { position += 1 }
    return position > first
  }

  private static func isNext(_ byte: UInt8, _ bytes: Span<UInt8>, _ position: Int) -> Bool {
    position < bytes.count && bytes[position] == byte
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? Int(value) : nil
  }
}

/// Writes a number in decimal digits.
enum DecimalDigits {
  /// Room for any number with its sign, and for the bytes that are written after it.
  static let maxCount = 24

  /// Writes a number and returns the address after its last digit. The number must not be 0: its
  /// only digit would be dropped, like a leading zero.
  @inline(never)
  static func write(_ number: Int, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    guard number < 0 else { return write(number.magnitude, at: start) }
    start.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    return write(number.magnitude, at: start + 1)
  }

  private static func write(
    _ number: UInt, at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard number >= 10_000 else {
      let digits = fourDigits(UInt32(truncatingIfNeeded: number))
      let zeros = digits.trailingZeroBitCount / 8
      store(digits >> (8 * zeros), at: start)
      return start + (4 - zeros)
    }
    let rest = write(number / 10_000, at: start)
    store(fourDigits(UInt32(truncatingIfNeeded: number % 10_000)), at: rest)
    return rest + 4
  }

  @inline(__always)
  private static func store(_ digits: UInt32, at start: UnsafeMutableRawPointer) {
    start.storeBytes(of: (digits | 0x3030_3030).littleEndian, as: UInt32.self)
  }

  /// The digits of a number below 10,000, one byte each, with the first digit in the lowest byte.
  @inline(__always)
  private static func fourDigits(_ number: UInt32) -> UInt32 {
    // Both pairs at once. Below 100, n / 10 is n * 103 / 1024.
    let pairs = number / 100 | (number % 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }
}
