import Shared
import Testing

@Suite struct LikenessTests {
  private static let words = [
    "port", "max-matches", "drain", "id", "row", "leaderboard", "password",
  ]

  @Test(arguments: [
    // A letter too many, too few, another one, two swapped.
    ("ports", "port"), ("prt", "port"), ("pork", "port"), ("prot", "port"), ("rwo", "row"),
    ("drian", "drain"), ("max-match", "max-matches"), ("passwrod", "password"),
    ("passwd", "password"), ("leadrebord", "leaderboard"),
    // Case, hyphens and underscores do not count.
    ("Drain", "drain"), ("maxmatches", "max-matches"), ("pass_word", "password"), ("ID", "id"),
    // Shorter or longer.
    ("lead", "leaderboard"), ("pass", "password"), ("rowIndex", "row"), ("drain", "drain"),
  ])
  func `a misspelling is recognized`(text: String, word: String) {
    #expect(text.likely(among: Self.words) == word)
  }

  @Test(arguments: [
    "", "x", "foo", "ie", "i", "po", "colour", "brian's", "sword", "match", "no",
    String(repeating: "port", count: 20),
  ])
  func `a word without likeness is no misspelling`(text: String) {
    #expect(text.likely(among: Self.words) == nil)
    #expect(text.likely(among: []) == nil)
  }

  @Test func `a text is repeated only if it is short and can be seen`() {
    #expect("place five".quoted == "“place five”")
    for text in ["", "a\u{1B}[31m", "a\u{202E}b", "a\nb", "a\u{200B}", "correct horse battery"] {
      #expect(text.quoted == nil)
    }
  }
}
