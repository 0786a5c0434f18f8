extension Unicode.Scalar {
  /// Whether the scalar is a control or format character, or a line or paragraph separator. These
  /// are invisible, but break lines or change how other scalars are shown.
  package var isControlOrFormat: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Character {
  /// The character, if a terminal can show it in one or two columns, otherwise “�”. Names come from
  /// strangers, so they must not control the terminal, reverse the writing direction, or contain
  /// invisible characters.
  package var displayable: Character {
    let scalars = unicodeScalars
    guard scalars.count <= Self.maxScalars, TextWidth.columns(of: self) > 0,
      let first = scalars.first, !first.isControlOrFormat
    else { return "\u{FFFD}" }
    return self
  }

  /// The longest emoji have ten code points. Longer characters are meant to fill the screen.
  private static let maxScalars = 12
}

extension String {
  /// The text with every character replaced that is neither a line break nor displayable.
  package var printable: String {
    String(map { $0 == "\n" ? $0 : $0.displayable })
  }
}
