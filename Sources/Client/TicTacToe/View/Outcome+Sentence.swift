import Shared

extension Outcome {
  var isDraw: Bool { winner == nil || reason == .full }

  /// Returns the result as the shortest possible text. `own` is the mark of the only person at this
  /// client, `nil` for two people or a spectator.
  func title(for own: Mark?, players: PerMark<Player>) -> String {
    guard let winner, !isDraw else { return "Draw" }
    guard let own else { return "\(players[winner].name) wins" }
    return winner == own ? "You win" : "You lost"
  }

  /// Returns the result as a sentence. `own` is the mark of the only person at this client, whom the
  /// sentence calls “you”; `nil` for two people or a spectator. `players` are the players of the game
  /// by their marks. With a `shape`, the sentence names the cells of the winning line, for views that
  /// cannot highlight it.
  func sentence(
    for own: Mark? = nil, players: PerMark<Player>, shape: BoardShape? = nil
  ) -> String {
    guard let winner, !isDraw else { return "The game is a draw." }
    let loser = winner.other
    let wins = winner == own ? "you win" : "\(players[winner].name) wins"
    let name = players[loser].name
    switch reason {
    case .line, .full:
      let start = winner == own ? "You win" : wins
      guard let shape, let line else { return "\(start)." }
      let numbers = line.map { String(shape.index(of: $0) + 1) }
      return "\(start) with \(numbers.joined(separator: ", "))."
    case .resigned: return "\(loser == own ? "You resigned" : "\(name) resigns"): \(wins)."
    case .timeout:
      return "\(loser == own ? "Your time is over" : "\(name) has run out of time"): \(wins)."
    case .abandoned:
      return "\(loser == own ? "You did not reconnect" : "\(name) did not reconnect"): \(wins)."
    case .left: return "\(loser == own ? "You left" : "\(name) has left"): \(wins)."
    }
  }
}
