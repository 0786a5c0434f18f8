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
