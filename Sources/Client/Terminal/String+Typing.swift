extension String {
  /// Without what it says at its end about typing, for screens on which keys are pressed: of “You are
  /// waiting already; to stop that, type: cancel” there remains “You are waiting already.” What stands
  /// before, as a name or a remark, is left as it is.
  var withoutTyping: String {
    let clauses = clauses
    var kept = clauses[...]
    while kept.last?.saysWhatToType == true { kept.removeLast() }
    guard !kept.isEmpty, kept.count < clauses.count else { return self }
    return kept.joined().trimmed.trimmingEnd + "."
  }

  /// Whether it ends with a command, of one word or two. Not by a regular expression: a server can
  /// send sentences faster than Swift compiles and matches one.
  private var saysWhatToType: Bool {
    var text = self[...]
    if text.last == " " { text.removeLast() }
    if text.last == ";" { text.removeLast() }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    func isCommand(after index: Int) -> Bool {
      guard index >= 0, words[index].isCallToType else { return false }
      let command = words[(index + 1)...]
      return command.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLetter } }
        && command.first?.allSatisfy(\.isLowercase) == true
    }
    return isCommand(after: words.count - 2) || isCommand(after: words.count - 3)
  }

  /// Its parts, each with the “;” or “.” that ends it and the space behind that.
  private var clauses: [String] {
    var clauses: [String] = []
    var clause = ""
    for character in self {
      if character == " ", let end = clause.last, ";.".contains(end) {
        clauses.append(clause + " ")
        clause = ""
      } else {
        clause.append(character)
      }
    }
    return clause.isEmpty ? clauses : clauses + [clause]
  }

  private var trimmingEnd: String {
    var text = self
    while let end = text.last, ";.".contains(end) { text.removeLast() }
    return text
  }
}

extension Substring {
  /// Whether it ends with `type:` or `Type:`, as a word of its own.
  fileprivate var isCallToType: Bool {
    guard hasSuffix("type:") || hasSuffix("Type:") else { return false }
    guard let before = dropLast("type:".count).last else { return true }
    return !before.isLetter && !before.isNumber && before != "_"
  }
}
