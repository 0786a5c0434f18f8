import Shared

/// A line that a person types at plain lines: a command word, and the text after it.
struct TypedLine {
  /// The first word as it was typed; empty for a blank line.
  let word: String
  /// The command that the first word means, in lower case. `exit` and `q` mean `quit`, and `?`
  /// means `help`.
  let command: String
  /// The text after the first word; `nil` if there is none.
  let rest: String?

  init(_ line: String) {
    let words = line.trimmed.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    word = words.first ?? ""
    rest = words.dropFirst().first?.trimmed
    let name = word.lowercased()
    command = Self.synonyms[name] ?? name
  }

  /// The command if it is the only word of the line; otherwise `nil`.
  var onlyCommand: String? { rest == nil ? command : nil }

  private static let synonyms = ["exit": "quit", "q": "quit", "?": "help"]
}
