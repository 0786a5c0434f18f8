import Foundation
import Testing

@testable import Shared

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
    // So are marks of two characters, the first of which has two of its own.
    ("\u{1FC1}\u{F74}", "\u{A8}\u{F74}\u{342}"), ("x\u{FC5E}\u{3099}", "x \u{3099}\u{64C}\u{651}"),
    // Nothing of these can be seen: the blank pattern, at the ends and as a space.
    ("ann", "ann\u{2800}"), ("ann", "\u{2800} \u{2800}ANN\u{A0}\u{2800}"),
    ("ann lee", "ann\u{2800}lee"), ("\u{430}nn", "ann\u{2800}"),
    // Selectors and joiners of emoji.
    ("\u{2764}", "\u{2764}\u{FE0F}"), ("👋", "👋\u{FE00}"), ("👋", "👋\u{E01EF}"),
    ("🐱🐶", "🐱\u{200D}🐶"), ("a\u{1F3F3}b", "a\u{1F3F3}\u{FE0E}b"),
    // Compatibility forms that begin with a space.
    ("\u{B4}x", "\u{301}x"), ("\u{2D8}x", " \u{306}x"), ("x\u{B4}", "x \u{301}"),
    ("\u{FC5E}x", " \u{64C}\u{651}x"), ("\u{2017}x", "\u{333}x"),
    ("ann lee", " ann lee\t"), ("ann", "\u{3000}ann\u{A0}\u{2003}"), ("ann", "ann\u{85}"),
  ])
  func `these are the same name`(one: String, other: String) throws {
    let keys = try (PlayerName(one).key, PlayerName(other).key)
    #expect(keys.0 == keys.1)
    #expect(PlayerName.key(of: one) == keys.0)
    #expect(PlayerName.key(of: other) == keys.0)
  }

  @Test(arguments: [
    // Lower case, not case folding.
    ("Straße", "STRASSE"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    // Turkish has no say here.
    ("i", "ı"), ("ann", "ann lee"), ("ann lee", "ann  lee"), ("e", "é"),
    // Linear B has no accents: its letters are not those whose numbers end alike.
    ("\u{10041}\u{301}nn", "ánn"), ("\u{10041}\u{301}", "\u{10061}\u{301}"),
    // A blank between letters can be seen, and so can the tone of a skin.
    ("annlee", "ann\u{2800}lee"), ("👋", "👋\u{1F3FD}"),
  ])
  func `these are different names`(one: String, other: String) throws {
    #expect(try PlayerName(one).key != PlayerName(other).key)
  }

  @Test(arguments: [
    ("", PlayerNameError.blank), (" ", .blank), ("\t\u{3000}\u{2028}", .blank),
    // Control, format, line and paragraph separator.
    ("a\u{7}n", .invisible), ("a\u{1B}[31m", .invisible), ("a\u{7F}n", .invisible),
    ("a\u{9B}n", .invisible), ("a\nn", .invisible), ("a\u{200B}n", .invisible),
    ("a\u{202E}n", .invisible), ("a\u{AD}n", .invisible), ("\u{FEFF}ann", .invisible),
    ("a\u{2028}n", .invisible), ("a\u{2029}n", .invisible), ("\u{E0041}", .invisible),
    ("a\u{180E}", .invisible), ("\u{61C}ann", .invisible), ("ann\u{2060}", .invisible),
    // Other characters that show nothing: a joiner, fillers, vowels, what is not assigned.
    ("b\u{34F}ot", .invisible), ("ann\u{3164}", .invisible), ("\u{115F}\u{1160}", .invisible),
    ("ann\u{FFA0}", .invisible), ("a\u{17B4}n", .invisible), ("a\u{17B5}n", .invisible),
    ("a\u{2065}n", .invisible), ("a\u{FFF0}n", .invisible), ("a\u{E0FFF}n", .invisible),
    ("a\u{1D173}n", .invisible),
    // Variation selectors that vary nothing.
    ("bot\u{FE0F}", .invisible), ("\u{E0100}bot", .invisible), ("a\u{FE00}", .invisible),
    ("a\u{180B}", .invisible), ("1\u{FE0F}\u{20E3}", .invisible), ("\u{FE0F}😀", .invisible),
    ("😀\u{FE0F}\u{FE0F}", .invisible), ("李\u{E0100}", .invisible),
    // Joiners that join no two emoji.
    ("a\u{200D}n", .invisible), ("😀\u{200D}", .invisible), ("\u{200D}😀", .invisible),
    ("😀\u{200D}a", .invisible), ("1\u{200D}😀", .invisible), ("😀\u{200D}\u{200D}😀", .invisible),
    ("😀\u{200D}\u{1F3FB}", .invisible), ("\u{1F3FB}\u{200D}😀", .invisible),
    ("😀\u{200D}\u{FE0F}😀", .invisible), ("😀 \u{200D}😀", .invisible),
    ("क\u{94D}\u{200D}ष", .invisible), ("😀\u{200D}\u{20E3}", .invisible),
    ("😀\u{200D}\u{1F3FB}😀\u{200D}", .invisible),
    // A flag of England: its letters are format characters. A keycap of an ASCII digit.
    ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", .invisible),
    ("5\u{FE0F}\u{20E3}", .invisible), ("5\u{FE0F}", .invisible),
    // Nothing visible among the characters.
    ("\u{2800}", .invisible), ("\u{2800} \u{2800}", .invisible), ("\u{301}", .invisible),
    ("\u{20DD}\u{301}", .invisible), ("\u{903}", .invisible), ("\u{2800}\u{A0}\u{301}", .invisible),
    ("ann \"the ace\" lee", .doubleQuote), ("\"", .doubleQuote),
    ("abcdefghijklmnopqrstuvwxy", .tooLong), (String(repeating: "e\u{301}", count: 13), .tooLong),
    (String(repeating: "🇪", count: 25), .tooLong),
    ("é" + String(repeating: "e", count: 24), .tooLong),
  ])
  func `this name is not allowed`(name: String, error: PlayerNameError) {
    #expect(throws: error) { try PlayerName(name) }
  }

  @Test(arguments: [
    "bot", "BOT", " bOt ", "ＢＯＴ", "ｂｏｔ", "ⓑⓞⓣ", "𝐛𝐨𝐭", "\u{3000}Ⓑot\u{85}",
    // With the letter о, Cyrillic and Greek.
    "b\u{43E}t", "B\u{41E}T", "b\u{3BF}t", "B\u{39F}T",
    // With what cannot be seen.
    "bot\u{2800}", "\u{2800}BOT", "\u{2800}\u{3000}b\u{41E}t \u{2800}",
  ])
  func `the bot's name is its own in any form`(name: String) {
    #expect(throws: PlayerNameError.bot) { try PlayerName(name) }
    #expect(PlayerName.key(of: name)?.text == "bot")
  }

  @Test(arguments: [
    "a", "abcdefghijklmnopqrstuvwx", String(repeating: "e\u{301}", count: 12), "O'Neil", "a\\b",
    "＂", "李小龍", "🇪🇺", "bots", "b ot", "ʙot", "null", "Player 7", "a\u{2800}", "\u{2800}.",
    "\u{E000}", "नमस्ते", "עִבְרִית",
    // One picture of several emoji, with tones of skin and variation selectors: a family, an
    // astronaut, a heart on fire, two who kiss.
    "👨\u{200D}👩\u{200D}👧", "👩\u{1F3FD}\u{200D}🚀", "\u{2764}\u{FE0F}\u{200D}🔥",
    "👩\u{200D}\u{2764}\u{FE0F}\u{200D}💋\u{200D}👨", "👨\u{200D}\u{1F3FD}👩", "\u{A9}\u{FE0E}",
    "🏳\u{FE0F}\u{200D}🌈", "👋\u{1F3FD}\u{FE0F}\u{200D}🔥", "5\u{20E3}",
    "👋\u{1F3FD}\u{FE0F}", "ann \u{2764}\u{FE0F}", "\u{1F3FB}",
  ])
  func `this name is allowed, and stays as it is written`(name: String) throws {
    #expect(try Array(PlayerName(name).text.unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test func `each character is allowed where the protocol allows it`() {
    func isAllowed(_ name: String) -> Bool {
      do throws(PlayerNameError) {
        _ = try PlayerName(name)
        return true
      } catch {
        return false
      }
    }
    let wrong = Unicode.Scalar.formed.filter { character in
      let rule = Protocol(character)
      return isAllowed("x\(character)x") != rule.isAllowed
        || isAllowed(String(character)) != (rule.isAllowed && rule.isVisible)
        || isAllowed("😀\(character)😀") != (rule.isAllowed || rule.isAllowedAfterEmoji)
        || isAllowed("\(character)\u{FE0F}x") != (rule.isAllowed && rule.isEmoji)
        || isAllowed("x\(character)\u{200D}😀") != (rule.isAllowed && rule.isJoinable)
        || isAllowed("😀\u{200D}\(character)x") != (rule.isAllowed && rule.isJoinable)
    }
    #expect(wrong.isEmpty)
  }

  @Test func `white space goes only at the ends`() throws {
    #expect(try PlayerName(" \u{A0}ann  lee\u{3000}\r").text == "ann  lee")
    let much = String(repeating: " \u{2003}", count: 1_000)
    #expect(try PlayerName(much + "ann" + much).text == "ann")
  }

  @Test func `a name is blank if it has only white space`() {
    #expect(["", " ", "\t\u{A0}\u{2029}\u{85}"].allSatisfy(PlayerName.isBlank))
    #expect(!["a", " a", "\u{200B}", "\u{0}"].contains(where: PlayerName.isBlank))
  }

  @Test func `white space is the Unicode property`() {
    let wrong = Unicode.Scalar.formed.filter {
      NameCharacter.isWhiteSpace($0) != $0.properties.isWhitespace
    }
    #expect(wrong.isEmpty)
  }

  @Test func `lower case needs no further normalization`() {
    let wrong = Unicode.Scalar.formed.filter { character in
      let lower = String(character).decomposedStringWithCompatibilityMapping.unicodeScalars
        .map(\.properties.lowercaseMapping).joined()
      let again = lower.decomposedStringWithCompatibilityMapping
      return !lower.unicodeScalars.elementsEqual(again.unicodeScalars)
    }
    #expect(wrong.isEmpty)
  }

  @Test
  func `after decomposing, only capital letters have a lower case, and only marks are reordered`() {
    let wrong = Unicode.Scalar.formed.filter { character in
      let decomposed = String(character).decomposedStringWithCompatibilityMapping.unicodeScalars
      return decomposed.map(\.properties).contains {
        switch $0.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: $0.changesWhenLowercased
        case .uppercaseLetter: $0.canonicalCombiningClass != .notReordered
        default: $0.changesWhenLowercased || $0.canonicalCombiningClass != .notReordered
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a character's key is the one that the protocol describes`() {
    let wrong = Unicode.Scalar.formed.filter { character in
      guard let key = PlayerName.key(of: String(character)), !key.text.isEmpty else { return false }
      return !key.text.unicodeScalars.elementsEqual(Protocol.key(of: character))
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a text that is too long as it is written names no player`() {
    let longest = String(repeating: "\u{FDFA}", count: ProtocolLimits.maxNameLength)
    #expect(PlayerName.key(of: longest) != nil)
    #expect(PlayerName.key(of: " \u{2003}\(longest) ") == PlayerName.key(of: longest))
    #expect(PlayerName.key(of: longest + "\u{FDFA}") == nil)
    #expect(PlayerName.key(of: String(repeating: "a", count: 25)) == nil)
    #expect(PlayerName.key(of: String(repeating: "a\u{301}", count: 13)) == nil)
  }
}

/// The rules in the words of the protocol, for a single character.
private struct Protocol {
  /// Between other characters, none of them an emoji.
  let isAllowed: Bool
  let isAllowedAfterEmoji: Bool
  let isVisible: Bool
  /// Has the property Emoji and is not ASCII.
  let isEmoji: Bool
  let isJoinable: Bool

  init(_ character: Unicode.Scalar) {
    let properties = character.properties
    let category = properties.generalCategory
    isAllowed =
      ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
      && !properties.isDefaultIgnorableCodePoint && character != "\""
    isAllowedAfterEmoji = character == "\u{200D}" || properties.isVariationSelector
    isVisible =
      !properties.isWhitespace && character != "\u{2800}"
      && ![.nonspacingMark, .spacingMark, .enclosingMark].contains(category)
    isEmoji = properties.isEmoji && !character.isASCII
    isJoinable = isEmoji && !properties.isEmojiModifier
  }

  private static let lookAlikes = zip("аеорсухіјѕһԁѵονρ".unicodeScalars, "aeopcyxijshdvovp")

  /// Composed as `Foundation` does it: a character by itself is composed rightly.
  static func key(of character: Unicode.Scalar) -> String.UnicodeScalarView {
    let first = String(character).precomposedStringWithCompatibilityMapping
    let lower = first.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    var text = lower.precomposedStringWithCompatibilityMapping
    for (letter, latin) in lookAlikes {
      text = String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0 == letter ? latin.unicodeScalars.first ?? $0 : $0 }))
    }
    // The form in which keys are kept, without what cannot be seen.
    let visible = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint
    }.map { $0 == "\u{2800}" ? " " : $0 }
    let end = visible.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? 0
    return String.UnicodeScalarView(
      visible[..<end].drop { $0.properties.isWhitespace })
  }
}

extension Unicode.Scalar {
  /// All but ideographs, syllables of Hangul and what is not assigned: 50,000 instead of a million.
  static let formed =
    ([
      0...0x33FF, 0xA000...0xAC01, 0xF900...0x16FFF, 0x1B000...0x1FBFF,
      0x2F800...0x2FA1F, 0xE0000...0xE01FF,
    ] as [ClosedRange<UInt32>]).joined().compactMap(Unicode.Scalar.init)
    .filter { $0.properties.generalCategory != .unassigned }
}
