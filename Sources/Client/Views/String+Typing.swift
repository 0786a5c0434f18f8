extension String {
  /// Without what it says at its end about typing, for screens on which keys are pressed: of “You are
  /// waiting already; to stop that, type: cancel” there remains “You are waiting already.” What stands
  /// before, as a name or a remark, is left as it is.
  var withoutTyping: String {
    var kept = clauses
    while kept.last?.saysWhatToType == true { kept.removeLast() }
    guard !kept.isEmpty, kept.count < clauses.count else { return self }
    return kept.joined().trimmed.trimmingEnd + "."
  }

  /// Whether it ends with a command, of one word or two.
  private var saysWhatToType: Bool {
    wholeMatch(of: /.*\b[Tt]ype: [a-z]+( [A-Za-z]+)?;? ?/) != nil
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
