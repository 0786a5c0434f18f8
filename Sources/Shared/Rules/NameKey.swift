/// Makes the key of a name out of its characters, decomposed for compatibility (NFKD).
///
/// The protocol's way, to compose, lower and compose again, comes to the same as to decompose once
/// and lower: no lower case brings up anything to decompose, or another order of marks. Foundation
/// composes wrongly beyond U+FFFF on Linux; where it matters what is composed, `LookAlike` knows.
struct NameKey {
  private var characters: [Unicode.Scalar] = []
  /// Behind the last of the characters, with their combining classes.
  private var marks: [(class: UInt8, mark: Unicode.Scalar)] = []

  mutating func append(_ character: Unicode.Scalar) {
    let properties = character.properties
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark:
      let combiningClass = properties.canonicalCombiningClass
      guard combiningClass == .notReordered else {
        return marks.append((combiningClass.rawValue, character))
      }
      finishMarks()
      characters.append(character)
    case .uppercaseLetter:
      finishMarks()
      characters += properties.lowercaseMapping.unicodeScalars
    default:
      finishMarks()
      characters.append(character)
    }
  }

  /// All characters, in canonical order (NFD).
  var text: String {
    var key = self
    key.finishMarks()
    LookAlike.replaceAll(in: &key.characters)
    // A view of scalars would take three times as long to fill.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * key.characters.count)
    for character in key.characters { bytes.append(contentsOf: character.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Puts marks in canonical order: Foundation leaves those as they come that it has decomposed from
  /// two characters. Equal ones stay in their order, for the sort is stable.
  private mutating func finishMarks() {
    guard !marks.isEmpty else { return }
    if marks.count > 1 { marks.sort { $0.class < $1.class } }
    characters += marks.lazy.map(\.mark)
    marks.removeAll(keepingCapacity: true)
  }
}
