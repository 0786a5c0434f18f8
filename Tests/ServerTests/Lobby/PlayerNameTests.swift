import Testing

@testable import Server

@Suite struct PlayerNameTests {
  @Test(arguments: [
    ("ann", "ANN"),
    // Compatibility forms: full width, ligature, circled, mathematical.
    ("ann", "ＡＮＮ"), ("fin", "ﬁn"), ("a1", "ⓐ①"), ("ann", "𝐀𝐧𝐧"),
    // One character or a letter and its accent.
    ("é", "E\u{301}"),
    // The Kelvin and the Ångström sign, and Ohm's.
    ("k", "\u{212A}"), ("å", "\u{212B}"), ("ω", "\u{2126}"),
    // The full lower case is two characters.
    ("i\u{307}", "İ"),
    ("ß", "ẞ"), ("ǆ", "ǅ"),
    // Only its lower case has a composed form, so it is normalised again.
    ("ǰ", "J\u{30C}"),
    // Each character by itself: no sigma knows that it is the last.
    ("σισυφοσ", "ΣΙΣΥΦΟΣ"),
    // A half-width mark is reordered as the full one is.
    ("a\u{327}\u{FF9E}\u{301}", "a\u{301}\u{327}\u{3099}"),
    ("ann lee", " ann lee\t"), ("ann", "\u{3000}ann\u{A0}\u{2003}"), ("ann", "ann\u{85}"),
  ])
  func `these are one name`(one: String, other: String) throws {
    let names = try (#require(PlayerName(one)), #require(PlayerName(other)))
    #expect(names.0.key == names.1.key)
    #expect(PlayerName.key(of: one) == names.0.key)
    #expect(PlayerName.key(of: other) == names.0.key)
  }

  @Test(arguments: [
    // Lower case, not case folding.
    ("Straße", "STRASSE"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    // Turkish has no say here.
    ("i", "ı"), ("ann", "ann lee"), ("ann lee", "ann  lee"), ("e", "é"),
    // Linear B has no accents: its letters are not those whose numbers end alike.
    ("\u{10041}\u{301}nn", "ánn"), ("\u{10041}\u{301}", "\u{10061}\u{301}"),
    // Look-alikes of another script.
    ("ann", "аnn"),
  ])
  func `these are two names`(one: String, other: String) throws {
    let names = try (#require(PlayerName(one)), #require(PlayerName(other)))
    #expect(names.0.key != names.1.key)
  }

  @Test(arguments: [
    "", " ", "\t\u{3000}\u{2028}",
    // Control, format, line and paragraph separator.
    "a\u{7}n", "a\u{1B}[31m", "a\u{7F}n", "a\u{9B}n", "a\nn", "a\u{200B}n", "a\u{202E}n",
    "a\u{AD}n", "\u{FEFF}ann", "a\u{2028}n", "a\u{2029}n", "\u{E0041}", "a\u{180E}",
    // A family is three people and two joiners, which are format characters.
    "👨‍👩‍👧",
    "ann \"the ace\" lee", "\"",
    "abcdefghijklmnopqrstuvwxy", String(repeating: "e\u{301}", count: 13),
    String(repeating: "🇪", count: 25),
  ])
  func `nobody may have this name`(name: String) {
    #expect(PlayerName(name) == nil)
  }

  @Test(arguments: ["bot", "BOT", " bOt ", "ＢＯＴ", "ｂｏｔ", "ⓑⓞⓣ", "𝐛𝐨𝐭", "\u{3000}Ⓑot\u{85}"])
  func `the bot's name is its own in any form`(name: String) {
    #expect(PlayerName(name) == nil)
    #expect(PlayerName.key(of: name) == "bot")
  }

  @Test(arguments: [
    "a", "abcdefghijklmnopqrstuvwx", String(repeating: "e\u{301}", count: 12), "O'Neil", "a\\b",
    "＂", "李小龍", "🇪🇺", "bots", "b ot", "ʙot", "null", "Player 7",
  ])
  func `this name can be had, and stays as it is written`(name: String) throws {
    let written = Array(try #require(PlayerName(name)).text.unicodeScalars)
    #expect(written == Array(name.unicodeScalars))
  }

  @Test func `white space goes only at the ends`() {
    #expect(PlayerName(" \u{A0}ann  lee\u{3000}\r")?.text == "ann  lee")
    #expect(PlayerName(String(repeating: " ", count: 100) + "ann")?.text == "ann")
  }

  @Test func `blank is what holds nothing but white space`() {
    #expect(["", " ", "\t\u{A0}\u{2029}\u{85}"].allSatisfy(PlayerName.isBlank))
    #expect(!["a", " a", "\u{200B}", "\u{0}"].contains(where: PlayerName.isBlank))
  }

  @Test func `what is longer than any form of a name is nobody's`() {
    let longest = String(repeating: "\u{FDFA}", count: PlayerName.longest)
    #expect(PlayerName(longest) != nil)
    #expect(PlayerName.key(of: PlayerName.key(of: longest)) == PlayerName.key(of: longest))
    #expect(PlayerName.key(of: String(repeating: "a\u{301}", count: 500)).isEmpty)
    // Short as it is written, too long once it is decomposed.
    #expect(PlayerName.key(of: longest + "\u{FDFA}").isEmpty)
  }

  @Test func `what has more marks than any form of a name is nobody's`() throws {
    let marked = String(repeating: "\u{1F82}", count: PlayerName.longest)
    let key = try #require(PlayerName(marked)).key
    #expect(PlayerName.key(of: key) == key)
    #expect(PlayerName.key(of: key + "\u{301}").isEmpty)
  }
}
