import Shared

extension String {
  /// The text in lines of so many columns at most, broken at spaces; only a word that is longer
  /// than a line is broken inside. At least one line; all behind the first are indented. What cannot
  /// be shown safely is replaced, as it takes columns then.
  func wrapped(to columns: Int, indent: Int = 0) -> [String] {
    precondition(columns >= indent + 2, "a line has room for every character")
    let margin = String(repeating: " ", count: indent)
    var lines = [""]
    // The columns of the last line that are taken, and those of them that are its margin.
    var used = 0
    var start = 0
    func beginLine() {
      lines.append(margin)
      (used, start) = (indent, indent)
    }
    for word in map(\.displayable).split(separator: " ") {
      let width = word.reduce(0) { $0 + TextWidth.columns(of: $1) }
      if used > start, used + 1 + width <= columns {
        lines[lines.count - 1] += " " + word
        used += 1 + width
        continue
      }
      if used > start { beginLine() }
      for character in word {
        let width = TextWidth.columns(of: character)
        if used + width > columns { beginLine() }
        lines[lines.count - 1].append(character)
        used += width
      }
    }
    return lines
  }
}

extension String {
  /// Without white space at the ends.
  var trimmed: String {
    let from = drop { $0.isWhitespace }
    guard let last = from.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(from[...last])
  }
}
