/// Builds the key of a name from its decomposed characters (NFKD).
///
/// The protocol composes the name, makes it lower case and composes it again. Decomposing once and
/// then making lower case gives equivalent keys: no lower-case letter can be decomposed further or
/// changes the order of marks. This avoids composing, which Foundation does wrongly above U+FFFF on
/// Linux. Only `LookAlike` depends on the composed form, and it checks for that.
///
/// What cannot be seen does not tell names apart: characters that show nothing are left out, the
/// blank Braille pattern is a space, and spaces at the ends are cut off again, because some
/// compatibility forms begin with one.
struct NameKey {
  /// The only letters that show nothing. Others are decomposed to them.
  private static let hangulFillers: ClosedRange<Unicode.Scalar> = "\u{115F}"..."\u{1160}"
  private var characters: [Unicode.Scalar] = []
  /// The marks after the last of the characters.
  private var marks: [(class: UInt8, mark: Unicode.Scalar)] = []

  mutating func append(_ character: Unicode.Scalar) {
    let properties = character.properties
    switch properties.generalCategory {
    // Variation selectors and joiners: marks around them belong to one character. Only categories
    // that have such characters are looked up further, which takes as long as all the rest.
    case .format where properties.isDefaultIgnorableCodePoint,
      .control where properties.isDefaultIgnorableCodePoint,
      .unassigned where properties.isDefaultIgnorableCodePoint,
      .nonspacingMark where properties.isDefaultIgnorableCodePoint:
      break
    case .otherLetter where Self.hangulFillers.contains(character): break
    case .otherSymbol where character == NameCharacter.blankPattern:
      finishMarks()
      characters.append(" ")
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

  /// The key, in canonical order (NFD).
  var text: String {
    var key = self
    key.finishMarks()
    LookAlike.replaceAll(in: &key.characters)
    let isSpace = NameCharacter.isWhiteSpace
    let end = key.characters.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    let visible = key.characters[..<end].drop(while: isSpace)
    // Appending to a view of scalars takes three times as long.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * visible.count)
    for character in visible { bytes.append(contentsOf: character.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the marks in canonical order: Foundation does not order marks that come from two
  /// characters. The sort is stable, so marks of one class keep their order.
  private mutating func finishMarks() {
    guard !marks.isEmpty else { return }
    if marks.count > 1 { marks.sort { $0.class < $1.class } }
    characters += marks.lazy.map(\.mark)
    marks.removeAll(keepingCapacity: true)
  }
}
