import Testing

@testable import Shared

@Suite struct ExactTextTests {
  @Test(arguments: ["", "a", "tictactoe", "é", "e\u{301}", "\u{FDFA}"])
  func `a text is itself`(text: String) {
    #expect(ExactText(text) == ExactText(String(text.unicodeScalars.map(Character.init))))
    #expect(Set([ExactText(text), ExactText(text)]).count == 1)
  }

  @Test(arguments: [
    ("a", "A"), ("a", "ab"), ("", "\u{0}"), ("K", "\u{212A}"), ("é", "e\u{301}"),
    ("a\u{301}\u{327}", "a\u{327}\u{301}"),
  ])
  func `texts of different characters differ, even if they are canonically equivalent`(
    one: String, other: String
  ) {
    #expect(ExactText(one) != ExactText(other))
    #expect(Set([ExactText(one), ExactText(other)]).count == 2)
  }
}
