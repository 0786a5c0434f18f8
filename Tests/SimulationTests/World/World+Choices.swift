import Shared

/// What players choose from.
extension World {
  /// A player whom others can invite: one who is in the lobby, or waits.
  func freePlayer(except name: String) -> String? {
    let invited = lobby.invitedPlayers.filter { $0 != name }
    return random.happens(percent: 40) && !invited.isEmpty
      ? random.pick(invited) : random.pick(lobby.freePlayers.filter { $0 != name })
  }

  /// One of the last four matches, whether it still runs or not.
  var someMatch: String? { random.pick(model.matches.suffix(4)) }

  /// A game that this world likes, or the default one.
  var someGame: String? { random.happens(percent: 25) ? nil : random.pick(plan.games) }

  /// A code: mostly one that is open, else one that was used or that nobody had.
  var someCode: String? {
    let open = lobby.openCodes
    let code = random.happens(percent: 80) ? random.pick(open) : random.pick(lobby.usedCodes)
    if random.happens(percent: 4) { return "zzzzz0" }
    return random.happens(percent: 30) ? code?.uppercased() : code
  }

  /// A cell for the next mark, mostly so that both players soon have lines: X fills the board from
  /// its beginning, O from its end.
  func someCell(of board: Board) -> Cell? {
    if random.happens(percent: 30) { return random.pick(board.openCells) }
    return board.turn == .x ? board.openCells.first : board.openCells.last
  }
}
