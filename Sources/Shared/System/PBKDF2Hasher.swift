import Foundation

/// Hashes passwords with PBKDF2 (RFC 8018) and HMAC-SHA-256, from the system's CommonCrypto,
/// because a Mac has no yescrypt. No test covers it: the tests run on Linux. A hash is
/// `$pbkdf2-sha256$ROUNDS$SALT$KEY`, the last two in hexadecimal digits.
package struct PBKDF2Hasher: PasswordHashing {
  private static let method = "pbkdf2-sha256"
  /// The recommendation of OWASP for PBKDF2 with HMAC-SHA-256.
  private static let rounds = 600_000
  private static let saltLength = 16
  private static let keyLength = 32
  // The constants of CommonCrypto: kCCPBKDF2, kCCPRFHmacAlgSHA256.
  private static let algorithm: UInt32 = 2
  private static let sha256: UInt32 = 3

  private let derive:
    @Sendable @convention(c) (
      UInt32, UnsafePointer<CChar>?, Int, UnsafePointer<UInt8>?, Int, UInt32, UInt32,
      UnsafeMutablePointer<UInt8>?, Int
    ) -> Int32

  /// Loads the library.
  ///
  /// - Throws: a sentence if the system has none.
  package init() throws(SystemLibrary.MissingError) {
    let library = try SystemLibrary(
      anyOf: ["/usr/lib/libSystem.B.dylib"], named: "CommonCrypto",
      hint: "It is a part of macOS.")
    derive = try library.function("CCKeyDerivationPBKDF")
  }

  package func hash(_ password: String) -> String? {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return hash(password, salt: salt, rounds: Self.rounds)
  }

  package func matches(_ password: String, _ hash: String?) -> Bool {
    let parts = hash?.split(separator: "$").map(String.init) ?? []
    guard parts.count == 4, parts[0] == Self.method, let rounds = Int(parts[1]) else {
      // As long as with a hash.
      _ = self.hash(password)
      return false
    }
    return self.hash(password, salt: Self.bytes(parts[2]), rounds: rounds) == hash
  }

  private func hash(_ password: String, salt: [UInt8], rounds: Int) -> String? {
    var key = [UInt8](repeating: 0, count: Self.keyLength)
    let result = derive(
      Self.algorithm, password, password.utf8.count, salt, salt.count, Self.sha256,
      UInt32(rounds), &key, key.count)
    guard result == 0 else { return nil }
    return "$\(Self.method)$\(rounds)$\(Self.digits(salt))$\(Self.digits(key))"
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.utf8.count - 1, by: 2).compactMap { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
  }
}
