/// Writes a line of the hot path into memory. It looks at no limit: whoever makes one has room for all
/// that is put, which has to be counted beforehand.
struct LineWriter {
  /// Behind the last byte.
  private(set) var end: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { end = start }

  // Inlined, because a copy whose length is known is a few moves.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    end.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    end += text.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    end.storeBytes(of: byte, as: UInt8.self)
    end += 1
  }

  @inline(__always)
  mutating func put(_ number: Int) {
    // Rows and columns are nearly always of one digit.
    if UInt(bitPattern: number) < 10 {
      put(UInt8(ascii: "0") | UInt8(truncatingIfNeeded: number))
    } else {
      put(digitsOf: number)
    }
  }

  private mutating func put(digitsOf number: Int) {
    if number < 0 { put(UInt8(ascii: "-")) }
    put(digitsOf: number.magnitude)
  }

  private mutating func put(digitsOf number: UInt) {
    guard number >= 10_000 else {
      let digits = Self.fourDigits(UInt32(truncatingIfNeeded: number))
      let zeros = digits.trailingZeroBitCount / 8
      return put(digits >> (8 * zeros), 4 - zeros)
    }
    put(digitsOf: number / 10_000)
    put(Self.fourDigits(UInt32(truncatingIfNeeded: number % 10_000)), 4)
  }

  /// Puts so many of the lowest digits of four.
  @inline(__always)
  private mutating func put(_ digits: UInt32, _ count: Int) {
    end.storeBytes(of: (digits | 0x3030_3030).littleEndian, as: UInt32.self)
    end += count
  }

  /// The digits of a number below 10,000, a byte each, the first in the lowest one.
  @inline(__always)
  private static func fourDigits(_ number: UInt32) -> UInt32 {
    // Both halves at once; below 100, a tenth is 103 / 1024.
    let pairs = number / 100 | (number % 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// Puts 8 lower-case hexadecimal digits.
  @inline(__always)
  mutating func put(hex number: UInt32) {
    // All 8 at once, a byte each: first half a byte of the number in each, then its letter.
    var digits = UInt64(number)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let toLetter = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    put((digits &+ 0x3030_3030_3030_3030 &+ isLetter &* toLetter).byteSwapped)
  }

  /// Puts the 8 bytes of a word, the lowest first.
  @inline(__always)
  private mutating func put(_ word: UInt64) {
    end.storeBytes(of: word.littleEndian, as: UInt64.self)
    end += 8
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { put(byte) }
  }
}
