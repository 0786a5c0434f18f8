import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct TokenTests {
  @Test func `a token is 128 bits in base64url`() {
    let random = RandomSource(SeededGenerator(seed: 3))
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let tokens = (0..<200).map { _ in Token.make(random) }
    #expect(tokens.allSatisfy { $0.count == 22 && letters.isSuperset(of: $0) })
    #expect(tokens.joined().contains("-") && tokens.joined().contains("_"))
    #expect(Set(tokens).count == 200)
  }

  @Test func `every bit of chance reaches the token`() {
    #expect(Token.make(RandomSource(Constant(value: 0))) == "AAAAAAAAAAAAAAAAAAAAAA")
    #expect(Token.make(RandomSource(Constant(value: .max))) == "_____________________w")
  }
}

private struct Constant: RandomNumberGenerator {
  let value: UInt64

  mutating func next() -> UInt64 { value }
}
