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
  /// `game`, the sentence names the cells of the winning line, for views that cannot highlight it.
  func sentence(players: PerMark<Player>, game: GameInfo? = nil) -> String {
    guard let winner else { return "The game is a draw." }
    let (name, loser) = (players[winner].name, players[winner.other].name)
    switch reason {
    case .line:
      guard let line = line.flatMap({ game?.name(of: $0) }) else { return "\(name) wins." }
      return "\(name) wins with \(line)."
    case .full: return "The game is a draw."
    case .resigned: return "\(loser) resigns: \(name) wins."
    case .timeout: return "\(loser) has run out of time: \(name) wins."
    case .abandoned: return "\(loser) did not reconnect: \(name) wins."
    case .left: return "\(loser) has left: \(name) wins."
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
        "\(corner.label) to \(Cell(row: corner.row + side - 1, column: corner.column + side - 1).label)"
      }
      return "the boards \(boards.joined(separator: ", "))"
    }
    guard dropsMarks else { return line.map { name(of: $0) }.joined(separator: ", ") }
    return "the line from row \(first.row + 1), column \(first.column + 1) to row"
      + " \(last.row + 1), column \(last.column + 1)"
  }
}
