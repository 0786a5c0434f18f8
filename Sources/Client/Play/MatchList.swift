import Shared

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
