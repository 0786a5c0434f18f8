import Foundation
import Testing

@testable import Shared

@Suite struct LookAlikeTests {
  /// The table of the protocol.
  private static let letters =
    Array(zip("аеорсухіјѕһԁѵ".unicodeScalars, "aeopcyxijshdv".unicodeScalars))
    + Array(zip("ονρ".unicodeScalars, "ovp".unicodeScalars))

  @Test func `each letter of the table, in either case, equals its Latin letter`() throws {
    #expect(Self.letters.count == 16)
    for (letter, latin) in Self.letters {
      #expect(!letter.isASCII && latin.isASCII)
      for form in [String(letter), letter.properties.uppercaseMapping] {
        #expect(PlayerName.key(of: "x\(form)1")?.text == "x\(latin)1")
      }
    }
  }

  @Test func `no other letter of these scripts equals a Latin letter`() {
    let letters = Set(Self.letters.map(\.0))
    let scripts = (0x370...0x52F as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let wrong = scripts.filter { character in
      let key = PlayerName.key(of: String(character))?.text.unicodeScalars.first
      let lower = character.properties.lowercaseMapping.unicodeScalars.first ?? character
      // Two of Greek are, in compatibility form, in the table.
      let plain = String(lower).precomposedStringWithCompatibilityMapping.unicodeScalars
      return key?.isASCII == true && plain.first.map(letters.contains) != true
        && plain.first?.isASCII != true
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [
    ("ann", "\u{430}nn"), ("PAXO", "\u{420}\u{410}\u{425}\u{41E}"),
    ("ovp", "\u{39F}\u{39D}\u{3A1}"),
    ("Player 1", "\u{420}l\u{430}yer 1"), ("jhdsiv", "\u{458}\u{4BB}\u{501}\u{455}\u{456}\u{475}"),
    // An accent with which there is no such Cyrillic character.
    ("\u{E1}nn", "\u{430}\u{301}nn"), ("a\u{323}nn", "\u{430}\u{323}nn"),
    // One below the letter, which leaves the one above to it.
    ("x\u{308}\u{323}", "\u{445}\u{323}\u{308}"),
    // The first accent above is none that it is composed with, so the second is not either.
    ("e\u{301}\u{308}", "\u{435}\u{301}\u{308}"),
  ])
  func `these look alike`(one: String, other: String) throws {
    #expect(try PlayerName(one).key == PlayerName(other).key)
  }

  @Test(arguments: [
    // Characters of their own, composed and decomposed.
    ("\u{EB}", "\u{451}"), ("\u{EB}", "\u{435}\u{308}"), ("\u{EF}", "\u{457}"),
    ("\u{F3}", "\u{3CC}"), ("\u{F3}", "\u{3BF}\u{301}"), ("y\u{306}", "\u{443}\u{306}"),
    // Also with a mark below, which comes first.
    ("e\u{323}\u{308}", "\u{435}\u{323}\u{308}"), ("e\u{323}\u{308}", "\u{435}\u{308}\u{323}"),
    // Of the same look, but not in the table.
    ("a", "\u{3B1}"), ("k", "\u{43A}"), ("B", "\u{412}"), ("h", "\u{43D}"), ("m", "\u{43C}"),
    ("t", "\u{442}"), ("l", "\u{4CF}"), ("w", "\u{51D}"), ("q", "\u{51B}"),
  ])
  func `these are different names, although they look alike`(one: String, other: String) throws {
    #expect(try PlayerName(one).key != PlayerName(other).key)
  }

  @Test func `a letter is kept only where it forms a character with the mark after it`() {
    let marks = Unicode.Scalar.formed.filter {
      $0.properties.canonicalCombiningClass != .notReordered
    }
    for (letter, latin) in Self.letters {
      let wrong = marks.filter { mark in
        let text = "\(letter)\(mark)"
        let composed = text.precomposedStringWithCanonicalMapping.unicodeScalars.first
        let first = PlayerName.key(of: text)?.text.unicodeScalars.first
        return first != (composed == letter ? latin : letter)
      }
      #expect(wrong.isEmpty)
    }
  }
}
