/// Hexadecimal digits, all of a number at once.
package enum HexDigits {
  /// Returns the 8 lower-case digits of a number, in the order of memory.
  @inline(__always)
  package static func of(_ number: UInt32) -> UInt64 {
    // One byte for each digit: first 4 bits of the number, then their letter.
    var digits = UInt64(number)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let toLetter = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    return (digits &+ 0x3030_3030_3030_3030 &+ isLetter &* toLetter).bigEndian
  }
}
