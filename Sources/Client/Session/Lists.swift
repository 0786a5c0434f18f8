import Shared

/// Who is logged in, and what they do.
typealias PlayerList = Page<PlayerSummary>

extension PlayerList {
  /// All of it, for a person.
  var sentence: String {
    var people = items.map { "\($0.name) (\($0.place.phrase))" }
    if more > 0 { people.append("and \(more) more") }
    return "Here: " + people.joined(separator: ", ")
  }
}

/// The matches that can be watched.
typealias MatchList = Page<MatchSummary>

extension MatchList {
  /// All of it, for a person.
  var sentence: String {
    guard !items.isEmpty else { return "Nobody plays now." }
    var matches = items.map { match in
      "  \(match.match)  \(match.title)" + (match.isRunning ? "" : " (between games)")
    }
    if more > 0 { matches.append("  and \(more) more") }
    return "Matches (to watch one, type: watch ID):\n" + matches.joined(separator: "\n")
  }
}

extension MatchSummary {
  /// Who plays whom.
  var title: String { "\(players.x) and \(players.o)" }
}

extension SessionPlace {
  /// What somebody who is there does, for people.
  var phrase: String {
    switch self {
    case .lobby: "free"
    case .waiting: "waits for a game"
    case .playing: "plays"
    case .watching: "watches"
    }
  }
}
