/// The look of a character.
struct Style: Equatable {
  /// `nil` means the terminal's own colour.
  var color: Color?
  var isBold = false
  var isDim = false
  var isReversed = false
  var isUnderlined = false

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
  static let reversed = Style(isReversed: true)

  static func colored(_ color: Color) -> Style { Style(color: color) }

  /// The escape sequence that gives exactly this look to the text after it (ECMA-48, SGR).
  var escapeSequence: String {
    var codes = [0]
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isUnderlined { codes.append(4) }
    if isReversed { codes.append(7) }
    if let color { codes.append(color.rawValue < 8 ? 30 + color.rawValue : 82 + color.rawValue) }
    return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }
}

/// The sixteen colours of every terminal. Each person can configure how they look.
enum Color: Int, CaseIterable {
  case black, red, green, yellow, blue, magenta, cyan, white
  case brightBlack, brightRed, brightGreen, brightYellow
  case brightBlue, brightMagenta, brightCyan, brightWhite

  /// The same colour among the first eight, which every terminal with colours has.
  var dark: Color { Color(rawValue: rawValue % 8) ?? self }
}
