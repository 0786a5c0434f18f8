import Shared

// What the engine keeps of ratings and results, as texts.

extension RatingEntry {
  /// The rating, its deviation and volatility, and the numbers of games won, lost and drawn, with
  /// spaces between them. The same entry always has the same text.
  var text: String {
    "\(rating.value) \(rating.deviation) \(rating.volatility) \(won) \(lost) \(drawn)"
  }

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, let value = Double(words[0]), let deviation = Double(words[1]),
      let volatility = Double(words[2]), let won = Int(words[3]), let lost = Int(words[4]),
      let drawn = Int(words[5])
    else { return nil }
    self.init(
      rating: Rating(value: value, deviation: deviation, volatility: volatility), won: won,
      lost: lost, drawn: drawn)
  }
}

/// The rating of a player of a game, as the engine has it.
enum RedisRating: Equatable {
  case gone
  /// The player has no rated game yet.
  case new
  case rated(RatingEntry)

  init?(_ text: String) {
    switch text {
    case "-": self = .gone
    case "": self = .new
    default:
      guard let entry = RatingEntry(text) else { return nil }
      self = .rated(entry)
    }
  }

  var text: String {
    switch self {
    case .gone: "-"
    case .new: ""
    case .rated(let entry): entry.text
    }
  }

  /// An account that is gone counts like a new player; see `Archive.rate`.
  var entry: RatingEntry {
    switch self {
    case .gone, .new: RatingEntry()
    case .rated(let entry): entry
    }
  }
}

extension GameResult {
  /// The fields of the history, a line each. The engine puts the id before them.
  var text: String {
    [
      match, game, players.x, players.o, outcome.winner?.letter ?? "-", outcome.reason.rawValue,
      String(moves), String(ended),
    ].joined(separator: "\n")
  }

  /// Reads the id and the lines of a result. They do not show whether the game was rated.
  static func entry(_ text: String) -> (id: Int, result: GameResult)? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 9, let id = Int(lines[0]),
      let reason = Outcome.Reason(rawValue: lines[6]), let moves = Int(lines[7]),
      let ended = Int(lines[8])
    else { return nil }
    let winner = Mark.allCases.first { $0.letter == lines[5] }
    return (
      id,
      GameResult(
        match: lines[1], game: lines[2], players: PerMark(x: lines[3], o: lines[4]),
        accounts: nil, outcome: Outcome(winner: winner, reason: reason), moves: moves, ended: ended)
    )
  }
}

extension HistoryItem {
  /// Reads the id and the lines of a `GameResult`. `now` is in milliseconds since 1970.
  init?(_ text: String, now: Int) {
    guard let (id, result) = GameResult.entry(text) else { return nil }
    self.init(
      id: id, match: result.match, game: result.game, players: result.players,
      outcome: result.outcome, moves: result.moves,
      ago: .milliseconds(max(0, now - result.ended)))
  }
}
