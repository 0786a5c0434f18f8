import Testing

@testable import Client

@Suite struct WrappedTests {
  @Test(arguments: [
    ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
    ("one  two ", 20, ["one two"]), ("abcdefg hi", 3, ["abc", "def", "g", "hi"]),
    ("한국어 말", 5, ["한국", "어 말"]), ("a 한국어", 2, ["a", "한", "국", "어"]),
  ])
  func `lines break at spaces, and in words that are too long`(
    text: String, columns: Int, lines: [String]
  ) {
    #expect(text.wrapped(to: columns) == lines)
  }
}
