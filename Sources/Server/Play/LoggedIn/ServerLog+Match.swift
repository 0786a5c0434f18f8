import Shared

/// The log lines and counters of matches.
extension ServerLog {
  /// `isLogged` is whether the match has log lines of its own. `counters`, here and below, are
  /// those of its game.
  func matchDidBegin(
    _ match: String, of game: GameInfo, between players: PerMark<Player>,
    _ counters: GameCounters, isLogged: Bool
  ) {
    counters.matches.begin()
    guard isLogged else { return }
    log.write(
      .info, "matchBegan",
      [
        "match": .text(match), "game": .text(game.id), "X": .text(players.x.name),
        "O": .text(players.o.name),
      ])
  }

  func gameDidBegin(in match: @autoclosure () -> String, _ counters: GameCounters) {
    counters.games.begin()
    guard log.shows(.debug) else { return }
    log.write(.debug, "gameBegan", ["match": .text(match())])
  }

  func didMove(
    _ placement: Placement, in match: @autoclosure () -> String, _ counters: GameCounters
  ) {
    counters.moves &+= 1
    if log.shows(.debug) { write(placement, in: match()) }
  }

  // Kept out of the code of a move.
  @inline(never)
  private func write(_ placement: Placement, in match: String) {
    log.write(
      .debug, "moved",
      [
        "match": .text(match), "mark": .text(placement.mark.letter),
        "row": .number(placement.cell.row), "col": .number(placement.cell.column),
      ])
  }

  func gameDidEnd(
    in match: @autoclosure () -> String, with outcome: Outcome,
    between players: @autoclosure () -> PerMark<Player>,
    _ counters: GameCounters, isLogged: @autoclosure () -> Bool
  ) {
    counters.games.end()
    guard log.shows(.info) else { return }
    log.write(
      isLogged() ? .info : .debug, "gameEnded",
      [
        "match": .text(match()), "reason": .text(outcome.reason.rawValue),
        "winner": .text(outcome.winner.map { players()[$0].name }),
      ])
  }

  /// `name` is the player who ended the match; `nil` for a shutdown.
  func matchWillEnd(
    _ match: String, for reason: MatchEndReason, by name: String?, isLogged: Bool
  ) {
    guard isLogged else { return }
    log.write(
      .info, "matchEnded",
      ["match": .text(match), "reason": .text(reason.rawValue), "by": .text(name)])
  }

  /// A match was detached. `inGame` is whether a game was still running.
  func matchDidEnd(inGame: Bool, spectators: Int, _ counters: GameCounters) {
    if inGame { counters.games.end() }
    counters.matches.end()
    self.counters.spectators -= spectators
  }
}
