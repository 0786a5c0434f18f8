import Shared

extension String {
  /// The text without advice to type something at its end, for screens with keys: “There is no
  /// match. To begin one, type: start” becomes “There is no match.” Everything before the advice,
  /// such as a name or a chat message, stays unchanged.
  var withoutTyping: String {
    let clauses = clauses
    var kept = clauses[...]
    while kept.last?.saysWhatToType == true { kept.removeLast() }
    guard !kept.isEmpty, kept.count < clauses.count else { return self }
    return kept.joined().trimmed.trimmingEnd + "."
  }

  /// Whether the text ends with advice to type a command of one or two words. This is not a regular
  /// expression, because a server can send sentences faster than Swift compiles and matches one.
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

  /// The clauses of the text, each with the “;” or “.” at its end and the space after it.
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
  /// Whether the text ends with the word `type:` or `Type:`.
  fileprivate var isCallToType: Bool {
    guard hasSuffix("type:") || hasSuffix("Type:") else { return false }
    guard let before = dropLast("type:".count).last else { return true }
    return !before.isLetter && !before.isNumber && before != "_"
  }
}
