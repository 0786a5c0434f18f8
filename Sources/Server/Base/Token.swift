import Shared

/// The secret with which a client resumes its session: 128 random bits. It is valid once, and only
/// its client gets it.
struct Token: Hashable {
  private let high: UInt64
  private let low: UInt64

  init(_ random: RandomSource) {
    high = random.next()
    low = random.next()
  }

  /// Parses a text that `text` has returned; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == Self.length else { return nil }
    var bits: UInt128 = 0
    for byte in text.utf8.dropLast() {
      guard let value = Self.alphabet.firstIndex(of: byte) else { return nil }
      bits = bits << 6 | UInt128(value)
    }
    // The last character has four bits to spare.
    guard let byte = text.utf8.last, let last = Self.alphabet.firstIndex(of: byte), last & 15 == 0
    else { return nil }
    bits = bits << 2 | UInt128(last >> 4)
    high = UInt64(truncatingIfNeeded: bits >> 64)
    low = UInt64(truncatingIfNeeded: bits)
  }

  /// The token as 22 characters of base64url (RFC 4648).
  var text: String {
    let bits = UInt128(high) << 64 | UInt128(low)
    return String(unsafeUninitializedCapacity: Self.length) { text in
      for index in 0..<Self.length - 1 {
        text[index] = Self.alphabet[Int(truncatingIfNeeded: bits >> (122 - 6 * index)) & 63]
      }
      text[Self.length - 1] = Self.alphabet[Int(truncatingIfNeeded: bits & 3) << 4]
      return Self.length
    }
  }

  /// The number of characters of `text`.
  static let length = 22
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Takes the same time wherever the two differ, so that a token cannot be guessed piece by piece.
  /// Hashing is safe too: it depends on a secret of the process.
  static func == (one: Token, other: Token) -> Bool {
    (one.high ^ other.high) | (one.low ^ other.low) == 0
  }
}
