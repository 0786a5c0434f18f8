extension Opponent {
  /// For people.
  var phrase: String {
    switch self {
    case .anyone: "anyone"
    case .bot: "the bot"
    case .player(let name): name
    }
  }
}

extension Opponent {
  /// As it is written on the command line: `bot`, `anyone` or nothing, or a player's name. Whoever
  /// is called “anyone” cannot be named there.
  init(wish: String) {
    let name = wish.trimmed
    switch name {
    case "", "anyone": self = .anyone
    case "bot": self = .bot
    default: self = .player(name)
    }
  }
}
