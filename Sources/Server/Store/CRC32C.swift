import Shared

/// CRC-32C (Castagnoli, RFC 3720), eight bytes at a time. Each checksum begins with the digits of
/// the one before, so that checksums form a chain.
struct CRC32C: ~Copyable {
  /// A checksum as eight lower-case hexadecimal digits, in the order of memory.
  typealias Digits = UInt64

  /// The digits before the first record of a segment: `00000000`.
  static let noDigits: Digits = 0x3030_3030_3030_3030

  /// Eight tables of 256 numbers. Memory of its own, because an array would check its bounds for
  /// every byte of a move.
  private let tables: UnsafeMutablePointer<UInt32>

  init() {
    tables = .allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1) * 0x82F6_3B78 }
      tables[byte] = value
    }
    for index in 256..<8 * 256 {
      let value = tables[index - 256]
      tables[index] = value >> 8 ^ tables[Int(value & 0xFF)]
    }
  }

  deinit { tables.deallocate() }

  /// Returns the checksum of eight digits followed by bytes.
  func digits(after previous: Digits, of bytes: UnsafeRawBufferPointer) -> Digits {
    var crc = step(UInt64(UInt32.max) ^ UInt64(littleEndian: previous))
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      crc = step(UInt64(crc) ^ UInt64(littleEndian: word))
      offset &+= 8
    }
    while offset < bytes.count {
      crc = crc >> 8 ^ tables[Int(truncatingIfNeeded: (crc ^ UInt32(bytes[offset])) & 0xFF)]
      offset &+= 1
    }
    return HexDigits.of(~crc)
  }

  /// Returns the checksum after eight more bytes, which are combined with the one before.
  @inline(__always)
  private func step(_ word: UInt64) -> UInt32 {
    value(7, word) ^ value(6, word >> 8) ^ value(5, word >> 16) ^ value(4, word >> 24)
      ^ value(3, word >> 32) ^ value(2, word >> 40) ^ value(1, word >> 48) ^ value(0, word >> 56)
  }

  @inline(__always)
  private func value(_ table: Int, _ word: UInt64) -> UInt32 {
    tables[table &* 256 &+ Int(truncatingIfNeeded: word & 0xFF)]
  }
}
