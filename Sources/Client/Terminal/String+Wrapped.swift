import Shared

extension String {
  /// Returns the text in one or more lines of up to `columns` columns, broken at spaces. Only a
  /// word that is longer than a line is broken inside. All lines but the first are indented.
  /// Characters that are not safe to show are replaced, because the replacement takes a column.
  func wrapped(to columns: Int, indent: Int = 0) -> [String] {
    precondition(columns >= indent + 2, "a line has room for every character")
    let margin = String(repeating: " ", count: indent)
    var lines = [""]
    // The used columns of the last line, and those of them that belong to its margin.
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
