import Shared
import Testing

struct PasswordHasherTests {
  @Test func `only the same password has the hash`() throws {
    let hasher = try PasswordHasher()
    let hash = try #require(hasher.hash("correct horse"))
    #expect(hash.hasPrefix("$y$"))
    #expect(!hash.contains("horse"))
    #expect(hasher.matches("correct horse", hash))
    #expect(!hasher.matches("correct horsf", hash))
    #expect(!hasher.matches("correct horse ", hash))
  }

  @Test func `two hashes of one password differ`() throws {
    let hasher = try PasswordHasher()
    #expect(hasher.hash("correct horse") != hasher.hash("correct horse"))
  }

  @Test func `every byte of a long password counts`() throws {
    let hasher = try PasswordHasher()
    // 512 bytes, which libcrypt alone refuses.
    let long = String(repeating: "🙂", count: 128)
    let hash = try #require(hasher.hash(long))
    #expect(hasher.matches(long, hash))
    #expect(!hasher.matches(String(long.dropLast()) + "🙃", hash))
  }

  @Test func `nothing matches without a hash`() throws {
    #expect(!(try PasswordHasher().matches("correct horse", nil)))
  }
}
