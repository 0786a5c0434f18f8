extension String {
  /// What is to be said, of the line `say TEXT`; `nil` where it is another.
  var remark: String? {
    let words = trimmed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    return words.count == 2 && words[0] == "say" ? String(words[1]).trimmed : nil
  }
}
