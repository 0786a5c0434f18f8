import Shared

/// The channel between a match and its clients. It numbers each event, keeps it, and encodes it
/// once for all players and spectators. In the other direction it passes players' moves to the
/// game, with the player's mark.
final class MatchChannel {
  /// The id of the match, encoded for lines.
  private let quotedMatch: QuotedName
  private let info: GameInfo
  /// The time for each move; `nil` if moves are not timed.
  let timeLimit: Duration?
  private let encodedTimeLimit: EncodedTime?
  /// The players by their marks in the first game; `nil` means the bot. This never changes; the
  /// order of the series determines the current marks.
  private let firstSeats: PerMark<Session?>
  private(set) var spectators: [Session] = []
  /// Receives the players' moves; set by the game's view. `LoggedInInteractor` sets it to `nil`
  /// when it detaches the game. `unowned`, because a weak reference would slow down every retain
  /// and release of the game.
  unowned var gameListener: (any TicTacToePresentableListener)?
  private var history = EventHistory()
  /// The number of the last event that changed the board.
  private var boardSeq = 0
  /// The players and the score. It is changed only together with the seats, which follow from it.
  private(set) var series: Series
  /// `nil` if matches are not kept.
  private let store: (any MatchStore)?

  /// `seats` are the players by their marks in the first game; `nil` means the bot. `timeLimit` is
  /// the time for each move; `nil` if moves are not timed. `stored` is the state in which the match
  /// goes on.
  init(
    match: String, game info: GameInfo, seats: PerMark<Session?>, timeLimit: Duration? = nil,
    store: (any MatchStore)? = nil, stored: StoredMatch? = nil
  ) {
    self.store = store
    if let stored {
      history = stored.history
      boardSeq = stored.boardSeq
    }
    series = stored?.series ?? Series(seats.map { $0.map { .person($0.name.text) } ?? .bot })
    quotedMatch = QuotedName(match)
    self.info = info
    self.timeLimit = timeLimit
    encodedTimeLimit = timeLimit.map(EncodedTime.init)
    firstSeats = seats
  }

  /// The id of the match.
  var match: String { quotedMatch.text }

  /// The number of the last event.
  var seq: Int { history.seq }

  /// Returns the mark of a session; `nil` for a spectator.
  func seat(of session: Session) -> Mark? {
    firstSeats.x === session || firstSeats.o === session ? mark(of: session) : nil
  }

  /// Returns the mark of a session, which must be a player of this match.
  func mark(of session: Session) -> Mark {
    (firstSeats.x === session) == series.order.isFirst ? .x : .o
  }

  /// The players and the spectators.
  var everyone: [Session] { [seats.x, seats.o].compactMap(\.self) + spectators }

  func add(spectator session: Session) {
    spectators.append(session)
  }

  func remove(spectator session: Session) {
    spectators.removeAll { $0 === session }
  }

  /// Whether an event with this number exists and the board has not changed after it.
  func isCurrent(_ seq: Int) -> Bool { seq >= boardSeq && seq <= self.seq }

  /// Whether the match has had no move and no second game yet.
  var isUntouched: Bool { boardSeq <= 1 }

  /// Counts a finished game.
  func gameDidEnd(with outcome: Outcome) {
    series.gameDidEnd(with: outcome)
  }

  /// Swaps the players' marks for the next game.
  func swapMarks() {
    series.swapMarks()
  }

  /// The players by their marks in the current or last game; `nil` means the bot.
  var seats: PerMark<Session?> { series.order.swapped(firstSeats) }

  /// Passes a player's move to the running game, with the player's mark.
  @inline(__always)
  func place(at cell: Cell, by session: Session) {
    gameListener?.place(at: cell, by: mark(of: session))
  }

  /// Passes a player's resignation to the running game.
  func resign(by session: Session) {
    gameListener?.resign(by: mark(of: session))
  }

  /// Sends an event to everyone in the match.
  func send(_ body: MatchEvent.Body) {
    switch body {
    case .boardDidChange(let change, _): return send(change)
    case .gameDidStart(let state): return send(state)
    case .gameDidEnd(let outcome, let score):
      if let ending = CompactEnding(outcome, score) {
        history.append(ending)
        return EventEncoder.withLine(body, match: quotedMatch, seq: seq) { write($0) }
      }
    case .presenceDidChange, .matchDidEnd, .didSay: break
    }
    EventEncoder.withLine(body, match: quotedMatch, seq: seq + 1) { line in
      history.append(line)
      write(line)
    }
  }

  /// Sends the beginning of a game to everyone in the match.
  func send(_ state: GameState) {
    if let beginning = CompactBeginning(
      score: state.score, order: series.order, level: state.level)
    {
      history.append(beginning)
    } else {
      history.appendGap()
    }
    boardSeq = seq
    EventEncoder.withLine(
      state, timeLeft: encodedTimeLimit, match: quotedMatch, seq: seq
    ) { line in
      if let store { append(line, to: store) }
      seats.x?.write(line: line, you: .x)
      seats.o?.write(line: line, you: .o)
      writeToSpectators(line)
    }
  }

  /// Sends a change of the board to everyone in the match.
  func send(_ change: Change) {
    boardSeq = seq + 1
    if change.open == nil,
      let move = CompactMove(change.placement, turn: change.turn, hash: change.hash)
    {
      history.append(move)
      EventEncoder.withLine(change, timeLimit: encodedTimeLimit, match: quotedMatch, seq: seq) {
        write($0)
      }
    } else {
      EventEncoder.withLine(change, timeLimit: encodedTimeLimit, match: quotedMatch, seq: seq + 1) {
        line in
        history.append(line)
        write(line)
      }
    }
  }

  @inline(__always)
  private func write(_ line: Span<UInt8>) {
    if let store { append(line, to: store) }
    firstSeats.x?.write(line: line, you: nil)
    firstSeats.o?.write(line: line, you: nil)
    if !spectators.isEmpty { writeToSpectators(line) }
  }

  @inline(never)
  private func append(_ line: Span<UInt8>, to store: any MatchStore) {
    store.append(line, to: match, seq: seq)
  }

  @inline(never)
  private func writeToSpectators(_ line: Span<UInt8>) {
    for spectator in spectators { spectator.write(line: line, you: nil) }
  }

  /// Sends the events after `seq` to one player or spectator.
  ///
  /// - Returns: false, without sending, if there are no such events or not all of them are kept.
  func sendMissed(after seq: Int, to session: Session) -> Bool {
    let mark = seat(of: session)
    return history.forEach(
      after: seq, in: quotedMatch, timeLimit: encodedTimeLimit, state: state
    ) { line, order in
      let you = order.flatMap { $0 == series.order ? mark : mark?.other }
      session.write(line: line, you: you)
    }
  }

  /// Returns the state of a game of this match at its beginning.
  private func state(of beginning: CompactBeginning) -> GameState {
    GameState(
      game: info.id,
      players: beginning.order.swapped(firstSeats).map { $0?.name.text ?? Player.botName },
      board: info.board, score: beginning.score, level: beginning.level,
      timeLeft: timeLimit)
  }
}

// MARK: - The store

extension MatchChannel {
  func storeBeginning() {
    store?.begin(match, game: info.id, players: firstSeats.map { $0.map(StoredPlayer.init) })
  }

  func storeEnd() { store?.end(match, game: info.id) }

  /// `accounts` are those of the players, by their marks now; see `MatchStore`.
  func storeAccounts(_ accounts: PerMark<Int>?) { store?.setAccounts(accounts, in: match) }

  func storeTokens(of session: Session) {
    let mark = series.order.swapped(mark(of: session))
    store?.setTokens(of: StoredPlayer(session), mark, in: match)
  }

  /// `mark` is that of the last game.
  func storeRematch(_ isAsked: Bool, by mark: Mark) {
    store?.setRematch(isAsked, by: series.order.swapped(mark), in: match)
  }
}
