/// The lines and signs that the full screen draws, in ASCII.
extension Character {
  /// The ASCII character that looks most like this line or sign; any other character itself.
  var asciiSign: Character {
    // Most characters are ASCII, and need no look-up.
    isASCII ? self : Self.asciiSigns[self] ?? self
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
