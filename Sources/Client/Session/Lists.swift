import Shared

/// The players who are logged in, and their states.
typealias PlayerList = Page<PlayerSummary>

extension PlayerList {
  /// The list as one sentence for people.
  var sentence: String {
    var people = items.map { "\($0.title) (\($0.place.phrase))" }
    if more > 0 { people.append("and \(more) more") }
    return "Here: " + people.joined(separator: ", ")
  }
}

/// The matches that can be watched.
typealias MatchList = Page<MatchSummary>

extension MatchList {
  /// The list as lines for people.
  var sentence: String {
    guard !items.isEmpty else { return "Nobody is playing now." }
    var matches = items.map { match in
      "  \(match.match)  \(match.title)" + (match.score.map { ", \($0.x)–\($0.o)" } ?? "")
        + (match.isRunning ? "" : " (between games)")
    }
    if more > 0 { matches.append("  and \(more) more") }
    return "Matches (to watch one, type: watch ID):\n" + matches.joined(separator: "\n")
  }
}

extension MatchSummary {
  /// The names of both players.
  var title: String { "\(players.x) and \(players.o)" }
}

extension SessionPlace {
  /// The state of a player, for people.
  var phrase: String {
    switch self {
    case .lobby: "free"
    case .waiting: "waiting for a game"
    case .playing: "playing"
    case .watching: "watching"
    }
  }
}
