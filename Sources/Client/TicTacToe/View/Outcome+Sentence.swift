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

  /// Returns the result as a sentence. `own` is the mark of the only person at this client, whom
  /// the sentence calls “you”; `nil` for two people or a spectator. `players` are the players of
  /// the game by their marks. With a `game`, the sentence names the cells of the winning line, for
  /// views that cannot highlight it.
  func sentence(
    for own: Mark? = nil, players: PerMark<Player>, game: GameInfo? = nil
  ) -> String {
    guard let winner, !isDraw else { return "The game is a draw." }
    let loser = winner.other
    let wins = winner == own ? "you win" : "\(players[winner].name) wins"
    let name = players[loser].name
    switch reason {
    case .line, .full:
      let start = winner == own ? "You win" : wins
      guard let line = line.flatMap({ game?.name(of: $0) }) else { return "\(start)." }
      return "\(start) with \(line)."
    case .resigned: return "\(loser == own ? "You resigned" : "\(name) resigns"): \(wins)."
    case .timeout:
      return "\(loser == own ? "Your time is over" : "\(name) has run out of time"): \(wins)."
    case .abandoned:
      return "\(loser == own ? "You did not reconnect" : "\(name) did not reconnect"): \(wins)."
    case .left: return "\(loser == own ? "You left" : "\(name) has left"): \(wins)."
    }
  }
}

extension GameInfo {
  /// The cells of a winning line in words: each one, both ends where a column is only a part of a
  /// cell's name, or the corners of the small boards. `nil` without cells.
  fileprivate func name(of line: [Cell]) -> String? {
    guard let first = line.first, let last = line.last else { return nil }
    if let side = groupSide {
      var corners: [Cell] = []
      for cell in line {
        let corner = Cell(row: cell.row / side * side, column: cell.column / side * side)
        if !corners.contains(corner) { corners.append(corner) }
      }
      let boards = corners.map { corner in
        let end = Cell(row: corner.row + side - 1, column: corner.column + side - 1)
        return "\(corner.label) to \(end.label)"
      }
      return "the boards \(boards.joined(separator: ", "))"
    }
    guard dropsMarks else { return line.map { name(of: $0) }.joined(separator: ", ") }
    return "the line from row \(first.row + 1), column \(first.column + 1) to row"
      + " \(last.row + 1), column \(last.column + 1)"
  }
}
