import Shared

/// Follows the events of a match by the rules of its game, as `tictactoe-server verify` does. Of a
/// game that this client does not have, it checks only the numbers of the events.
struct ReplayRules {
  private var last = 0
  private var info: GameInfo?
  private var series: Series?
  /// The board of the current or last game.
  private var board: Board?
  /// Whether a game runs. Its board may be full: the end of the game follows then.
  private var isRunning = false

  /// Applies the next event of the match. Returns a sentence that says what is wrong with it; `nil`
  /// if it follows the rules.
  mutating func refusal(of event: Event) -> String? {
    guard let seq = event.place?.seq, seq == last + 1 else {
      return "The event does not follow event \(last)."
    }
    last = seq
    guard case .match(let event) = event else { return nil }
    switch event.body {
    case .gameDidStart(let state): return refusal(of: state)
    case .boardDidChange(let change, _): return refusal(of: change)
    case .gameDidEnd(let outcome, let score): return refusal(of: outcome, score)
    case .presenceDidChange, .didSay, .matchDidEnd: return nil
    }
  }

  private mutating func refusal(of state: GameState) -> String? {
    guard !isRunning else { return "A game begins in another." }
    let first = Series(state.players.map { $0 == Player.botName ? .bot : .person($0) })
    if series != nil { series?.swapMarks() }
    let series = series ?? first
    let info = info ?? GameInfo.all.first { $0.isNamed(state.game) }
    (self.series, self.info, isRunning) = (series, info, true)
    guard let info else { return nil }
    board = info.board
    guard state.players == series.players.map(\.name), state.score == series.score,
      state.board.rows == info.board.rows
    else { return "The game begins with another state." }
    return nil
  }

  private mutating func refusal(of change: Change) -> String? {
    guard isRunning else { return "There is a move without a game." }
    guard var board else { return nil }
    do throws(MoveError) {
      guard try board.place(change.placement.mark, at: change.placement.cell) == change else {
        return "The move changes the board against the rules."
      }
    } catch {
      return "The move breaks the rules."
    }
    self.board = board
    return nil
  }

  private mutating func refusal(of outcome: Outcome, _ score: Score) -> String? {
    guard isRunning else { return "There is no game to end." }
    isRunning = false
    series?.gameDidEnd(with: outcome)
    guard var board else { return nil }
    if board.turn != nil, outcome.reason != .line, outcome.reason != .full,
      let winner = outcome.winner
    {
      board.end(outcome.reason, by: winner.other)
    }
    self.board = board
    guard board.outcome == outcome, series?.score == score else {
      return "The game ends against the rules."
    }
    return nil
  }
}
