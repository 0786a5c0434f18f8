extension Unicode.Scalar {
  /// Whether it is not shown itself but breaks a line, or changes how others are shown: a control or
  /// format character, or a line or paragraph separator.
  package var isControlOrFormat: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Character {
  /// Itself where a terminal can show it in one or two columns, else “�”: names come from strangers,
  /// who must not be able to steer the terminal, turn the writing round or hide in a name.
  package var displayable: Character {
    let scalars = unicodeScalars
    guard scalars.count <= Self.maxScalars, TextWidth.columns(of: self) > 0,
      let first = scalars.first, !first.isControlOrFormat
    else { return "\u{FFFD}" }
    return self
  }

  /// The longest emoji have ten code points; what has more is made to fill the screen.
  private static let maxScalars = 12
}

extension String {
  /// With each character replaced that is neither a line break nor displayable: what comes from
  /// elsewhere must not be able to steer the terminal, turn the writing round or hide in it.
  package var printable: String {
    String(map { $0 == "\n" ? $0 : $0.displayable })
  }
}
