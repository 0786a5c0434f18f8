import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct TokenTests {
  @Test func `a token is 128 bits in base64url`() {
    let random = RandomSource(SeededGenerator(seed: 3))
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let tokens = (0..<200).map { _ in Token(random).text }
    #expect(tokens.allSatisfy { $0.count == 22 && letters.isSuperset(of: $0) })
    #expect(tokens.joined().contains("-") && tokens.joined().contains("_"))
    #expect(Set(tokens).count == 200)
  }

  @Test func `every random bit is in the token`() {
    #expect(Token(RandomSource(Constant(value: 0))).text == "AAAAAAAAAAAAAAAAAAAAAA")
    #expect(Token(RandomSource(Constant(value: .max))).text == "_____________________w")
  }

  @Test func `a token can be parsed from its text`() throws {
    let random = RandomSource(SeededGenerator(seed: 4))
    for _ in 0..<200 {
      let token = Token(random)
      #expect(Token(token.text) == token)
    }
  }

  @Test func `tokens that differ in one bit are not equal`() throws {
    let text = "AAAAAAAAAAAAAAAAAAAAAA"
    let token = try #require(Token(text))
    for place in text.indices {
      var other = text
      // The two high bits of the last character belong to the token.
      other.replaceSubrange(
        place...place, with: text.index(after: place) == text.endIndex ? "Q" : "B")
      #expect(try #require(Token(other)) != token)
    }
  }

  @Test(arguments: [
    "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB",
    "AAAAAAAAAAAAAAAAAAAA==", "+AAAAAAAAAAAAAAAAAAAAA", "/AAAAAAAAAAAAAAAAAAAAA",
    " AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAA\nAAAAAAAAAA", "ÄAAAAAAAAAAAAAAAAAAAAA",
    "ÄAAAAAAAAAAAAAAAAAAAA",
  ])
  func `a text that is not a token is refused`(text: String) {
    #expect(Token(text) == nil)
  }
}

private struct Constant: RandomNumberGenerator {
  let value: UInt64

  mutating func next() -> UInt64 { value }
}
