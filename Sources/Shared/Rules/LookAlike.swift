/// A lower-case Cyrillic or Greek letter that looks like a Latin letter. Names are compared with
/// the Latin letter in its place.
struct LookAlike {
  private let latin: Unicode.Scalar
  /// The marks that NFC composes with the letter. The composed character is not a look-alike.
  private let accents: [Unicode.Scalar]

  private init(_ latin: Unicode.Scalar, accents: [Unicode.Scalar] = []) {
    self.latin = latin
    self.accents = accents
  }

  private static let all: [Unicode.Scalar: LookAlike] = [
    // Cyrillic а, е, о, р, с, у, х, і, ј, ѕ, һ, ԁ, ѵ.
    "\u{430}": LookAlike("a", accents: ["\u{306}", "\u{308}"]),
    "\u{435}": LookAlike("e", accents: ["\u{300}", "\u{306}", "\u{308}"]),
    "\u{43E}": LookAlike("o", accents: ["\u{308}"]),
    "\u{440}": LookAlike("p"),
    "\u{441}": LookAlike("c"),
    "\u{443}": LookAlike("y", accents: ["\u{304}", "\u{306}", "\u{308}", "\u{30B}"]),
    "\u{445}": LookAlike("x"),
    "\u{456}": LookAlike("i", accents: ["\u{308}"]),
    "\u{458}": LookAlike("j"),
    "\u{455}": LookAlike("s"),
    "\u{4BB}": LookAlike("h"),
    "\u{501}": LookAlike("d"),
    "\u{475}": LookAlike("v", accents: ["\u{30F}"]),
    // Greek ο, ν, ρ.
    "\u{3BF}": LookAlike("o", accents: ["\u{300}", "\u{301}", "\u{313}", "\u{314}"]),
    "\u{3BD}": LookAlike("v"),
    "\u{3C1}": LookAlike("p", accents: ["\u{313}", "\u{314}"]),
  ]

  /// Replaces the look-alikes in a decomposed text (NFD).
  static func replaceAll(in characters: inout [Unicode.Scalar]) {
    for index in characters.indices {
      guard (0x3BD...0x501).contains(characters[index].value),
        let lookAlike = all[characters[index]],
        !lookAlike.isAccented(by: characters[(index + 1)...])
      else { continue }
      characters[index] = lookAlike.latin
    }
  }

  /// Whether NFC composes the letter with a mark that follows it. All of its accents are above the
  /// letter. NFC composes only the first mark above the letter, which blocks the others.
  private func isAccented(by following: ArraySlice<Unicode.Scalar>) -> Bool {
    for character in following {
      switch character.properties.canonicalCombiningClass {
      case .notReordered: return false
      case .above: return accents.contains(character)
      default: continue
      }
    }
    return false
  }
}
