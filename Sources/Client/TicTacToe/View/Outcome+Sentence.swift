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

  /// Returns the result as a sentence. `players` are the players of the game by their marks. With a
  /// `shape`, the sentence names the cells of the winning line, for views that cannot highlight it.
  func sentence(players: PerMark<Player>, shape: BoardShape? = nil) -> String {
    guard let winner else { return "The game is a draw." }
    let (name, loser) = (players[winner].name, players[winner.other].name)
    switch reason {
    case .line:
      guard let shape, let line else { return "\(name) wins." }
      let numbers = line.map { String(shape.index(of: $0) + 1) }
      return "\(name) wins with \(numbers.joined(separator: ", "))."
    case .full: return "The game is a draw."
    case .resigned: return "\(loser) resigns: \(name) wins."
    case .timeout: return "\(loser) has run out of time: \(name) wins."
    case .abandoned: return "\(loser) did not reconnect: \(name) wins."
    case .left: return "\(loser) has left: \(name) wins."
    }
  }
}
