#if os(Linux) && arch(x86_64)
  import CEpoll
#endif

/// CRC-32C (Castagnoli, RFC 3720), by the processor's instruction if it has one, and otherwise by
/// tables. Each checksum begins with the digits of the one before, so that checksums form a chain.
package struct CRC32C: ~Copyable {
  /// A checksum as eight lower-case hexadecimal digits, in the order of memory.
  package typealias Digits = UInt64

  /// The digits before the first record of a segment: `00000000`.
  package static var noDigits: Digits { 0x3030_3030_3030_3030 }

  /// Whether the processor has the instruction, and the project uses it.
  package static var hasInstruction: Bool {
    #if os(Linux) && arch(x86_64)
      has_crc32c()
    #else
      false
    #endif
  }

  /// Eight tables of 256 numbers; `nil` if the instruction is used. Memory of its own, because an
  /// array would check its bounds for every byte of a move.
  private let tables: UnsafeMutablePointer<UInt32>?

  /// `usesInstruction` must be false if there is none.
  package init(usesInstruction: Bool = Self.hasInstruction) {
    tables = usesInstruction ? nil : Self.makeTables()
  }

  private static func makeTables() -> UnsafeMutablePointer<UInt32> {
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1) * 0x82F6_3B78 }
      tables[byte] = value
    }
    for index in 256..<8 * 256 {
      let value = tables[index - 256]
      tables[index] = value >> 8 ^ tables[Int(value & 0xFF)]
    }
    return tables
  }

  deinit { tables?.deallocate() }

  /// Returns the checksum of eight digits followed by bytes.
  package func digits(after previous: Digits, of bytes: UnsafeRawBufferPointer) -> Digits {
    if let tables { return HexDigits.of(Self.checksum(after: previous, of: bytes, tables)) }
    #if os(Linux) && arch(x86_64)
      return HexDigits.of(crc32c(previous, bytes.baseAddress, UInt(bytes.count)))
    #else
      preconditionFailure("This processor's instruction is not used.")
    #endif
  }

  /// Takes eight bytes at a time.
  private static func checksum(
    after previous: Digits, of bytes: UnsafeRawBufferPointer, _ tables: UnsafePointer<UInt32>
  ) -> UInt32 {
    var crc = step(UInt64(UInt32.max) ^ UInt64(littleEndian: previous), tables)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      crc = step(UInt64(crc) ^ UInt64(littleEndian: word), tables)
      offset &+= 8
    }
    while offset < bytes.count {
      crc = crc >> 8 ^ tables[Int(truncatingIfNeeded: (crc ^ UInt32(bytes[offset])) & 0xFF)]
      offset &+= 1
    }
    return ~crc
  }

  /// Returns the checksum after eight more bytes, which are combined with the one before.
  @inline(__always)
  private static func step(_ word: UInt64, _ tables: UnsafePointer<UInt32>) -> UInt32 {
    @inline(__always)
    func value(_ table: Int, _ word: UInt64) -> UInt32 {
      tables[table &* 256 &+ Int(truncatingIfNeeded: word & 0xFF)]
    }
    return value(7, word) ^ value(6, word >> 8) ^ value(5, word >> 16) ^ value(4, word >> 24)
      ^ value(3, word >> 32) ^ value(2, word >> 40) ^ value(1, word >> 48) ^ value(0, word >> 56)
  }
}
