import Shared

extension Outcome {
  /// How the game ended, for people; `players` by the marks that they had in it. With a `shape` the
  /// winning line is told in the numbers of its cells, for those who do not see it.
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
    case .abandoned: return "\(loser) did not come back: \(name) wins."
    case .left: return "\(loser) has left: \(name) wins."
    }
  }
}
