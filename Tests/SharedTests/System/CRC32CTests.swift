import Testing

@testable import Shared

@Suite struct CRC32CTests {
  @Test func `the tables return the check value`() {
    let digits = Array("12345678".utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    let sum = Array("9".utf8).withUnsafeBytes {
      CRC32C(usesInstruction: false).digits(after: digits, of: $0)
    }
    #expect(sum == HexDigits.of(0xE306_9283))
  }

  @Test(.enabled(if: CRC32C.hasInstruction))
  func `the instruction and the tables return the same`() {
    let tables = CRC32C(usesInstruction: false)
    let instruction = CRC32C(usesInstruction: true)
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 89 ^ $0 >> 3) }
    var digits = CRC32C.noDigits
    for count in 0...bytes.count {
      // The bytes begin at any address.
      bytes[(bytes.count - count)...].withUnsafeBytes {
        let next = tables.digits(after: digits, of: $0)
        #expect(instruction.digits(after: digits, of: $0) == next, "\(count) bytes")
        digits = next
      }
    }
  }
}
