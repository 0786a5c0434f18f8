import Testing

@testable import Client

@Suite struct StringWrappedTests {
  @Test(arguments: [
    ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
    ("one  two ", 20, ["one two"]), ("abcdefg hi", 3, ["abc", "def", "g", "hi"]),
    ("a\u{1B}b c", 3, ["a\u{FFFD}b", "c"]), ("한국어 말", 5, ["한국", "어 말"]),
    ("a 한국어", 2, ["a", "한", "국", "어"]),
    ("t://localhost/join/quam89", 18, ["t://localhost/", "join/quam89"]),
    ("see a/bcdefgh", 5, ["see", "a/", "bcdef", "gh"]), ("a//b", 2, ["a/", "/b"]),
  ])
  func `lines break at spaces and within long words`(
    text: String, columns: Int, lines: [String]
  ) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test(arguments: [
    ("", 4, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "  two"]),
    ("one two three", 7, ["one two", "  three"]),
    ("abcdefg hi", 4, ["abcd", "  ef", "  g", "  hi"]),
    ("a 한국어", 4, ["a", "  한", "  국", "  어"]),
  ])
  func `lines after the first can be indented`(text: String, columns: Int, lines: [String]) {
    #expect(text.wrapped(to: columns, indent: 2) == lines)
  }
}
