import Shared

/// A line that a person types at plain lines: a command word, and the text after it.
struct TypedLine {
  /// The whole line without spaces around it.
  let line: String
  /// The first word as it was typed; empty for a blank line.
  let word: String
  /// The command that the first word means, in lower case. `exit` and `q` mean `quit`, and `?`
  /// means `help`.
  let command: String
  /// The text after the first word; `nil` if there is none.
  let rest: String?

  init(_ line: String) {
    self.line = line.trimmed
    let words = self.line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    word = words.first ?? ""
    rest = words.dropFirst().first?.trimmed
    let name = word.lowercased()
    command = Self.synonyms[name] ?? name
  }

  /// The command if it is the only word of the line; otherwise `nil`.
  var onlyCommand: String? { rest == nil ? command : nil }

  /// The sentence for a line that is no command. It guesses which of some words was meant; without
  /// a guess it gives the advice, if there is some.
  func refusal(among words: [String], advice: String? = nil) -> String {
    let isNoCommand = "“\(line)” is not a command."
    if let guess = words.first(where: isLike) {
      return "\(isNoCommand) Did you mean \(guess)? To see the commands, type: help"
    }
    return "\(isNoCommand) \(advice.map { "\($0); to" } ?? "To") see the commands, type: help"
  }

  /// Whether the first word may be a slip of the fingers for another word: one letter too many, too
  /// few or wrong, or letters in another order.
  private func isLike(_ other: String) -> Bool {
    guard command != other, command.count > 2 else { return false }
    let start = zip(command, other).prefix { $0 == $1 }.count
    let (rest, otherRest) = (command.dropFirst(start), other.dropFirst(start))
    let end = zip(rest.reversed(), otherRest.reversed()).prefix { $0 == $1 }.count
    return max(rest.count, otherRest.count) - end <= 1 || command.sorted() == other.sorted()
  }

  private static let synonyms = ["exit": "quit", "q": "quit", "?": "help"]
}

/// The words that a person can type in plain lines.
enum CommandWords {
  /// The commands between games that have no meaning in a game.
  static let lobby = [
    "start", "game", "games", "open", "join", "decline", "cancel", "list", "matches", "watch",
    "history", "leaderboard", "replay", "register", "unregister",
  ]
  /// The commands of a spectator.
  static let watching = ["board", "leave", "say", "mute", "unmute", "quit", "help"]
  static let all = watching + ["place", "resign"] + lobby
}
