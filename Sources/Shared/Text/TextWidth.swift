/// The number of terminal columns of a text.
///
/// The C library's `wcwidth` returns the width of single code points, depends on the locale of the
/// process, and does not know newer emoji. So this type has its own table.
package enum TextWidth {
  package static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// 0, 1 or 2. The width of a character with several code points is the sum of their widths, but
  /// never more than 2.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.isASCII, scalars.count == 1 {
      return first.value < 0x20 || first.value == 0x7F ? 0 : 1
    }
    if scalars.contains(emojiSelector), first.properties.isEmoji { return 2 }
    return min(2, scalars.reduce(0) { $0 + columns(of: $1) })
  }

  /// The number of columns in a terminal that draws each code point by itself.
  package static func maxColumns(of character: Character) -> Int {
    max(columns(of: character), character.unicodeScalars.reduce(0) { $0 + columns(of: $1) })
  }

  /// The code point that makes a sign before it an emoji, as in ❤️.
  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      return 0
    default:
      if joining.contains(where: { $0.contains(scalar.value) }) { return 0 }
      if scalar.properties.isEmojiPresentation { return 2 }
      return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// The Korean vowels and finals that join the consonant before them.
  private static let joining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FB]

  /// Wide and full-width code points that are not emoji (Unicode Standard Annex 11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
