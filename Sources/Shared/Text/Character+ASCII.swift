/// The lines and signs that the programs write, in ASCII.
extension Character {
  /// The ASCII character that looks most like this line or sign; any other character itself.
  package var asciiSign: Character {
    // Most characters are ASCII, and need no look-up.
    isASCII ? self : Self.asciiSigns[self] ?? self
  }

  /// The same, with “?” for every column of a character that has no such sign.
  package var asciiText: String {
    let sign = asciiSign
    return sign.isASCII ? String(sign) : String(repeating: "?", count: TextWidth.columns(of: self))
  }

  private static let asciiSigns: [Character: Character] = {
    let tables: [Character: String] = [
      "-": "─–", "|": "│", "+": "┌┐└┘├┤┬┴┼┝┥┿", "=": "━", "#": "┃┰┸╂╋",
      "/": "╱╭╯", "\\": "╲╮╰", "X": "╳", "x": "×", "*": "•", ">": "▸→", "<": "←", "^": "↑",
      "v": "↓",
      ".": "·…", "\"": "“”", "'": "’", "?": "�",
    ]
    var signs: [Character: Character] = [:]
    for (sign, characters) in tables {
      for character in characters { signs[character] = sign }
    }
    // The steps of the spinner.
    for (character, sign) in zip("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\|/-\\|/") { signs[character] = sign }
    return signs
  }()
}
