import Shared

extension String {
  /// Returns the text in one or more lines of up to `columns` columns, broken at spaces. Only a
  /// word that is longer than a line is broken inside, if possible after a slash. All lines but the
  /// first are indented.
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
      for part in width > columns - used ? word.partsAfterSlashes : [word] {
        let width = part.reduce(0) { $0 + TextWidth.columns(of: $1) }
        if used > start, used + width > columns { beginLine() }
        for character in part {
          let width = TextWidth.columns(of: character)
          if used + width > columns { beginLine() }
          lines[lines.count - 1].append(character)
          used += width
        }
      }
    }
    return lines
  }
}

extension ArraySlice<Character> {
  /// The parts of a path or a URL, each with the slash after it.
  fileprivate var partsAfterSlashes: [Self] {
    var parts: [Self] = []
    var rest = self
    while let slash = rest.firstIndex(of: "/") {
      parts.append(rest[...slash])
      rest = rest[(slash + 1)...]
    }
    return rest.isEmpty ? parts : parts + [rest]
  }
}
