import Shared

/// A stored event that cannot follow the ones before it. The journal is damaged, or a version of
/// the server with other rules wrote it.
struct ReplayError: Error, Equatable {
  /// For people.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The state of a match, made again from its stored events by the rules of its game.
struct StoredMatch {
  private(set) var record: MatchRecord
  let game: Game
  /// By the marks of the first game; `nil` is the bot.
  var players: PerMark<StoredPlayer?>
  private(set) var level = BotLevel.hard
  /// The time for a move; `nil` if moves are not timed.
  private(set) var timeLimit: Duration?
  private(set) var series: Series
  /// The board of the current or last game; `nil` before the first one.
  private(set) var board: Board?
  /// Whether a game runs. Its board may be full: the end of the game follows then.
  private(set) var isRunning = false
  private(set) var history = EventHistory()
  private(set) var boardSeq = 0
  /// Which players were connected, and have asked for the next game, by the marks of the first
  /// game.
  private(set) var online = PerMark(x: true, o: true)
  var asked = PerMark(x: false, o: false)
  /// Whether clients may have been told more than what is stored.
  var isCut = false

  init(_ id: String, game: Game, players: PerMark<StoredPlayer?>) {
    record = MatchRecord(
      id, game: game.info.id, players: players.map { $0?.name ?? Player.botName })
    self.game = game
    self.players = players
    series = Series(players.map { $0.map { .person($0.name) } ?? .bot })
  }

  var id: String { record.id }
  var hasEnded: Bool { record.hasEnded }

  /// Applies the next event. `line` is its line with the LF; `time` as for `MatchRecord`.
  ///
  /// - Returns: the result, if the event ends a game.
  /// - Throws: if the rules do not allow it.
  @discardableResult
  mutating func apply(
    _ event: MatchEvent, _ line: Span<UInt8>, at time: Int? = nil
  ) throws(ReplayError) -> GameResult? {
    guard event.seq == history.seq + 1 else {
      throw ReplayError("event \(event.seq) of match \(id) follows event \(history.seq)")
    }
    guard !hasEnded else { throw ReplayError("match \(id) had ended") }
    switch event.body {
    case .gameDidStart(let state): try begin(state)
    case .boardDidChange(let change, _): try apply(change, line)
    case .gameDidEnd(let outcome, let score): try end(with: outcome, score, line)
    case .presenceDidChange(let mark, let isOnline, _):
      online[series.order.swapped(mark)] = isOnline
      history.append(line)
    case .didSay, .matchDidEnd:
      history.append(line)
    }
    return record.apply(event.body, at: time)
  }

  private mutating func begin(_ state: GameState) throws(ReplayError) {
    guard !isRunning else { throw ReplayError("a game of match \(id) begins in another") }
    if board != nil { series.swapMarks() }
    guard state.players == series.players.map(\.name), state.score == series.score,
      state.board.rows == game.info.board.rows
    else { throw ReplayError("a game of match \(id) begins with another state") }
    board = game.info.board
    isRunning = true
    asked = PerMark(x: false, o: false)
    if let level = state.level { self.level = level }
    timeLimit = state.timeLeft
    if let beginning = CompactBeginning(
      score: state.score, order: series.order, level: state.level)
    {
      history.append(beginning)
    } else {
      history.appendGap()
    }
    boardSeq = history.seq
  }

  private mutating func apply(_ change: Change, _ line: Span<UInt8>) throws(ReplayError) {
    guard isRunning, var board else { throw ReplayError("match \(id) has a move without a game") }
    let result: Change
    do throws(MoveError) {
      result = try board.place(change.placement.mark, at: change.placement.cell)
    } catch {
      throw ReplayError("a move of match \(id) breaks the rules")
    }
    guard result.hash == change.hash else {
      throw ReplayError("the hash after a move of match \(id) is wrong")
    }
    guard result == change else {
      throw ReplayError("a move of match \(id) changes the board against the rules")
    }
    self.board = board
    if change.open == nil,
      let move = CompactMove(change.placement, turn: change.turn, hash: change.hash)
    {
      history.append(move)
    } else {
      history.append(line)
    }
    boardSeq = history.seq
  }

  private mutating func end(
    with outcome: Outcome, _ score: Score, _ line: Span<UInt8>
  ) throws(ReplayError) {
    guard isRunning, var board else { throw ReplayError("match \(id) has no game to end") }
    if board.turn != nil, outcome.reason != .line, outcome.reason != .full,
      let winner = outcome.winner
    {
      board.end(outcome.reason, by: winner.other)
    }
    series.gameDidEnd(with: outcome)
    guard board.outcome == outcome, series.score == score else {
      throw ReplayError("a game of match \(id) ends against the rules")
    }
    self.board = board
    isRunning = false
    if let ending = CompactEnding(outcome, score) {
      history.append(ending)
    } else {
      history.append(line)
    }
  }
}
