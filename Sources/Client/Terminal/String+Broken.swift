import Shared

extension String {
  /// Returns the text with a newline in place of the spaces where a line would be wider than some
  /// columns. A word that is wider stays whole, so that it can be copied. The rest of a line begins
  /// below its text: below the meaning of a command, for example.
  func brokenAtWords(to columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.brokenAtWords(to: columns) }.joined(separator: "\n")
  }
}

extension Substring {
  fileprivate func brokenAtWords(to columns: Int) -> String {
    var (rest, lines, indent) = (self, [String](), 0)
    while indent + rest.width > columns, let space = rest.lastBreak(in: columns - indent) {
      lines.append(String(repeating: " ", count: indent) + rest[..<space])
      rest = rest[space...].drop { $0 == " " }
      if lines.count == 1 { indent = hangingIndent(in: columns) }
    }
    return (lines + [String(repeating: " ", count: indent) + rest]).joined(separator: "\n")
  }

  /// The columns of the text without spaces at its end.
  private var width: Int {
    let end = lastIndex { $0 != " " }.map(index(after:)) ?? startIndex
    return self[..<end].reduce(0) { $0 + TextWidth.columns(of: $1) }
  }

  /// The last place between two words with no more columns before it; the first place if there is
  /// none, and `nil` after the last word.
  private func lastBreak(in columns: Int) -> Index? {
    var last: Index?
    var (used, isInText) = (0, false)
    for index in indices {
      if self[index] == " " {
        if isInText, self[index...].contains(where: { $0 != " " }) {
          if last != nil, used > columns { return last }
          last = index
          if used > columns { return last }
        }
        isInText = false
      } else {
        isInText = true
      }
      used += TextWidth.columns(of: self[index])
    }
    return last
  }

  /// The columns before the text, or before its second part after two or more spaces.
  private func hangingIndent(in columns: Int) -> Int {
    let text = drop { $0 == " " }
    let start = count - text.count
    guard let gap = text.indices.first(where: { text[$0...].hasPrefix("  ") }) else { return start }
    let indent = count - text[gap...].drop { $0 == " " }.count
    return indent <= columns / 2 ? indent : start
  }
}
