import RIBs
import Shared

/// What the server keeps of finished games. The RIBs History and Leaderboard use it.
protocol FinishedGames: AnyObject {
  /// Sends a value each time that a lost connection is back.
  var returns: Stream<Void> { get }
  /// Asks for finished games, the latest first; `nil` means those of everyone. With `before`, only
  /// those with a smaller id. `answer` is called once.
  func history(of player: String?, before: Int?, answer: @escaping RequestAnswer<HistoryPage>)
  /// Asks for the best registered players of a game. `answer` is called once.
  func leaderboard(of game: String, answer: @escaping RequestAnswer<Leaderboard>)
}

extension HistoryItem {
  /// The result as a player sees it, or as everyone does if `player` is `nil` or did not play.
  func result(for player: String?) -> String {
    let key = player.map { PlayerName.key(of: $0) }
    let mark = Mark.allCases.first { key != nil && PlayerName.key(of: players[$0]) == key }
    switch (outcome.winner, mark) {
    case (nil, let mark?): return "drew against \(players[mark.other])"
    case (let winner?, let mark?):
      return (winner == mark ? "won" : "lost") + " against \(players[mark.other])"
    case (nil, nil): return "\(players.x) and \(players.o) drew"
    case (let winner?, nil): return "\(players[winner]) won against \(players[winner.other])"
    }
  }

  /// How the game ended, and after how many moves.
  var end: String {
    let reason =
      switch outcome.reason {
      case .line: "a line"
      case .full: "a full board"
      case .resigned: "resigned"
      case .timeout: "out of time"
      case .abandoned: "did not come back"
      case .left: "left"
      }
    return "\(reason), \(moves) \(moves == 1 ? "move" : "moves")"
  }

  /// When the game ended.
  var when: String { ago.inThePast }
}

extension LeaderboardItem {
  /// The rating; with a question mark if it rests on few games.
  var ratingText: String { "\(rating)" + (isProvisional ? "?" : "") }
}

extension PlayerSummary {
  /// The name, with the rating of a registered player.
  var title: String { name + ratingText }

  /// The rating, after a space; an empty text for guests.
  var ratingText: String { rating.map { " \($0)" } ?? "" }
}
