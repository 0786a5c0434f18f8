/// The kind of a character, for the rules about names.
enum NameCharacter {
  case visible
  /// White space, a combining mark, or the blank Braille pattern. Allowed, but a name also needs a
  /// visible character.
  case blank
  case emoji
  /// The skin tone of the emoji before it.
  case emojiModifier
  /// Allowed right after an emoji.
  case variationSelector
  /// Allowed between two emoji.
  case joiner
  case doubleQuote
  /// Never allowed: control and format characters, and all other invisible characters.
  case hidden

  init(_ character: Unicode.Scalar) {
    let properties = character.properties
    switch properties.generalCategory {
    case .format where character == "\u{200D}": self = .joiner
    case .control, .format, .lineSeparator, .paragraphSeparator: self = .hidden
    case _ where properties.isVariationSelector: self = .variationSelector
    case _ where properties.isDefaultIgnorableCodePoint: self = .hidden
    case .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark: self = .blank
    case _ where character == Self.blankPattern: self = .blank
    case _ where character == "\"": self = .doubleQuote
    case _ where character.isASCII: self = .visible
    case _ where properties.isEmojiModifier: self = .emojiModifier
    case _ where properties.isEmoji: self = .emoji
    default: self = .visible
    }
  }

  /// The Braille pattern without a dot, which looks like a space.
  static let blankPattern: Unicode.Scalar = "\u{2800}"

  var isVisible: Bool {
    switch self {
    case .visible, .emoji, .emojiModifier: true
    case .blank, .variationSelector, .joiner, .doubleQuote, .hidden: false
    }
  }

  /// Whether the character only changes how the emoji before it is shown.
  var belongsToEmoji: Bool { self == .emojiModifier || self == .variationSelector }

  /// The Unicode property White_Space. A look-up in the Unicode tables would take ten times as
  /// long, and a text can have more than a thousand such characters at its ends.
  static func isWhiteSpace(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }
}
