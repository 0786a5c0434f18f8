import Testing

@testable import Shared

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("─│┌┐└┘…", 7), ("é", 1), ("e\u{301}", 1), ("Ωж", 2),
    ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("日本語", 6), ("ｆ", 2),
    ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 2), ("🇰🇷", 2), ("🇰🇷🇩🇪", 4), ("❤️", 2), ("❤", 1),
    ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🫨", 2),
  ])
  func `the width of a text is its width on the terminal`(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(arguments: ["\u{0}", "\n", "\r\n", "\u{1B}", "\u{9B}", "\u{200B}", "\u{202E}", "\u{301}"])
  func `an invisible character takes no column`(text: String) {
    #expect(TextWidth.columns(of: text) == 0)
  }

  @Test func `no character is wider than two columns`() {
    let consonants = "\u{1100}\u{1100}\u{1100}"
    #expect(consonants.count == 1)
    #expect(TextWidth.columns(of: consonants) == 2)
  }
}
