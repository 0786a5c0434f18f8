import Shared

/// The opponent that a person asks for.
enum Opponent: Equatable {
  case anyone
  case bot
  case player(String)

  /// Reads the opponent from the command line or a URL: `bot`, `anyone`, nothing (which also means
  /// anyone) or a player's name. A player called “anyone” cannot be named there. Capital letters
  /// make no difference.
  init(argument: String) {
    let name = argument.trimmed
    switch name.lowercased() {
    case "", "anyone": self = .anyone
    case "bot": self = .bot
    default: self = .player(name)
    }
  }

  /// The opponent in a command; `nil` means anyone.
  var name: String? {
    switch self {
    case .anyone: nil
    case .bot: Player.botName
    case .player(let name): name
    }
  }

  /// The opponent within a sentence for people.
  var phrase: String {
    switch self {
    case .anyone: "anyone"
    case .bot: "the bot"
    case .player(let name): name
    }
  }
}
