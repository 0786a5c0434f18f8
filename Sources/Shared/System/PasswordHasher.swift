import Foundation

package protocol PasswordHashing: Sendable {
  /// Returns the hash of a password. `nil` if there is no memory.
  func hash(_ password: String) -> String?
  /// Whether a password has a hash. Without a hash it takes the same time.
  func matches(_ password: String, _ hash: String?) -> Bool
}

/// Hashes passwords with yescrypt, of the system's libcrypt; see crypt(5). A hash takes about 27 ms
/// and 16 MiB on purpose, so it is computed on a thread of its own.
package struct PasswordHasher: PasswordHashing {
  /// The cost of yescrypt: crypt(5) calls it the count.
  private static let cost: CUnsignedLong = 5
  /// libcrypt takes only passwords that are shorter, in bytes.
  private static let maxBytes = 512

  private let crypt:
    @Sendable @convention(c) (
      UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutablePointer<CInt>?
    ) -> UnsafePointer<CChar>?
  private let makeSetting:
    @Sendable @convention(c) (
      UnsafePointer<CChar>?, CUnsignedLong, UnsafePointer<CChar>?, CInt
    ) -> UnsafeMutablePointer<CChar>?

  /// Loads the library.
  ///
  /// - Throws: a sentence with the package to install.
  package init() throws(SystemLibrary.MissingError) {
    let hint =
      "Install it: on Debian and Ubuntu, apt install libcrypt1; on Fedora, dnf install libxcrypt."
    let library = try SystemLibrary(
      anyOf: ["libcrypt.so.1", "libcrypt.so.2", "libcrypt.so"], named: "libcrypt", hint: hint)
    crypt = try library.function("crypt_ra")
    makeSetting = try library.function("crypt_gensalt_ra")
    guard setting() != nil else {
      throw SystemLibrary.MissingError(sentence: "This libcrypt has no yescrypt. \(hint)")
    }
  }

  /// What a hash begins with: its method, its cost and a random salt.
  private func setting() -> String? {
    guard let setting = makeSetting("$y$", Self.cost, nil, 0) else { return nil }
    defer { free(setting) }
    return String(cString: setting)
  }

  package func hash(_ password: String) -> String? {
    setting().flatMap { run(password, $0) }
  }

  package func matches(_ password: String, _ hash: String?) -> Bool {
    guard let setting = hash ?? setting(), let found = run(password, setting) else { return false }
    return found == hash
  }

  private func run(_ password: String, _ setting: String) -> String? {
    // No password contains a control character, so none is the same as a shortened one.
    let isShort = password.utf8.count < Self.maxBytes
    let phrase = isShort ? password : "\u{1}" + SHA256.digits(of: password)
    var memory: UnsafeMutableRawPointer?
    var size: CInt = 0
    defer { free(memory) }
    guard let hash = crypt(phrase, setting, &memory, &size) else { return nil }
    return String(cString: hash)
  }
}
