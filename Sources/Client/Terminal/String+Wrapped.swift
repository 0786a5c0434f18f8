extension String {
  /// The text in lines of so many columns at most, broken at spaces; only a word that is longer
  /// than a line is broken inside. At least one line.
  func wrapped(to columns: Int) -> [String] {
    precondition(columns >= 2, "a line has room for every character")
    var lines = [""]
    var used = 0
    for word in split(separator: " ") {
      let width = TextWidth.columns(of: String(word))
      if used > 0, used + 1 + width <= columns {
        lines[lines.count - 1] += " " + word
        used += 1 + width
        continue
      }
      if used > 0 { lines.append("") }
      used = 0
      for character in word {
        let width = TextWidth.columns(of: character)
        if used + width > columns {
          lines.append("")
          used = 0
        }
        lines[lines.count - 1].append(character)
        used += width
      }
    }
    return lines
  }
}
