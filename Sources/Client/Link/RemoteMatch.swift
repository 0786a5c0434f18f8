import Shared

/// The proxy of a game, which the match feeds with events.
protocol RemoteGame: AnyObject {
  /// A snapshot has replaced the board.
  func show(_ board: Board)
  func boardDidChange(_ change: Change)
  func wasRefused(_ error: MoveError)
  func gameDidEnd(with outcome: Outcome)
}

/// Where a match sends its commands: the server, or the player of a stored match.
protocol MatchConnection: AnyObject {
  /// The time on the loop's clock.
  var now: Duration { get }
  /// Sends a command. `answer` is called once, with the reply; with `nil` if there is none.
  func send(_ command: Command, answer: @escaping (Event?) -> Void)
  /// Closes the connection, because the events contradict each other.
  func close(_ failure: LinkError)
}

/// A match's calls to the session.
protocol RemoteMatchDelegate: AnyObject {
  /// A game begins, or a snapshot shows another game than the last events did.
  func match(didStart state: GameState)
  /// Called before the game's proxy is called.
  func match(didEndGame outcome: Outcome, score: Score)
  func match(didEnd reason: MatchEndReason, by mark: Mark?)
  /// The server has not replied to a command.
  func matchDidNotReply()
  /// The match is over at the server, and no event has given the reason. The delegate calls
  /// `forget`.
  func matchDidVanish()
}

/// A match at the server or in a store, across its games and across connections. It checks that no
/// event is missing and that each change leads to the server's board, asks for missing events, and
/// feeds the proxy.
final class RemoteMatch {
  weak var delegate: (any RemoteMatchDelegate)?
  /// The proxy that is attached.
  weak var game: (any RemoteGame)?
  let news: MutableMatchNews
  private let link: any MatchConnection
  /// The id of the match and the number of its last event; `nil` without a match.
  private(set) var last: (match: String, seq: Int)?
  /// The event after which the match continues on a new connection; `nil` for a snapshot.
  var lastSeq: Int? { last.flatMap { $0.seq > 0 ? $0.seq : nil } }
  /// The first state of the current game, or of the last one; `nil` before the first game.
  private var beginning: GameState?
  /// The board of that game; `nil` while it is unknown, because an event contradicted it.
  private(set) var board: Board?
  /// The index of that game in the series, from 0.
  private var number = 0
  /// Whether a game runs.
  private(set) var isRunning = false
  private var isSyncing = false
  /// Whether the next snapshot may be that of another match with the same id.
  private var mayBeOther = false
  /// The command whose answer was lost with the connection. It is sent again if the next snapshot
  /// shows that it was not carried out and still makes sense.
  private var lost: Lost? {
    didSet { if lost != nil { news.setRepeating(true) } }
  }
  /// Whether a move has no answer yet.
  private var isPlacing = false
  /// How many times the match has asked for missing events since the last valid event.
  private var syncs = 0

  private enum Lost {
    /// Sent again if nothing has happened since.
    case move(Cell)
    /// Sent again if the game still runs.
    case resign
    /// Sent again if the match goes on.
    case leave
  }

  init(link: any MatchConnection) {
    self.link = link
    news = MutableMatchNews(link: link)
  }

  func receive(_ event: MatchEvent) {
    guard accept(event.match, event.seq) else { return }
    switch event.body {
    case .gameDidStart(let state):
      begin(state, number: state.score.games)
    case .boardDidChange(let change, let timeLeft):
      isPlacing = false
      if case .move = lost { forgetLost() }
      guard isRunning, board?.apply(change) == true, board?.hash == change.hash else {
        board = nil
        return sync(after: nil)
      }
      game?.boardDidChange(change)
      news.moveDidBegin(timeLeft: timeLeft)
    case .gameDidEnd(let outcome, let score):
      guard isRunning, let board, outcome.line?.allSatisfy(board.shape.contains) ?? true else {
        return sync(after: nil)
      }
      end(outcome, score)
    case .presenceDidChange(let mark, let online, let grace):
      news.presenceDidChange(of: mark, online: online, grace: grace)
    case .didSay(let from, let mark, let text):
      news.didSay(text, from: from, mark: mark)
    case .matchDidEnd(let reason, let mark, _):
      forget()
      delegate?.match(didEnd: reason, by: mark)
    }
    syncs = 0
  }

  /// Replaces the state with a snapshot, because events are missing. The score determines which
  /// game of the series it shows, so the match notices if it has missed the end of a game. A
  /// snapshot that contradicts the game's events closes the link.
  func receive(_ snapshot: MatchSnapshot) {
    let state = snapshot.state
    let number = state.score.games - (snapshot.outcome == nil ? 0 : 1)
    let isSameMatch = last?.match == snapshot.match
    if mayBeOther, isSameMatch, isOther(snapshot) {
      link.send(.leave) { _ in }
      return delegate?.matchDidVanish() ?? ()
    }
    mayBeOther = false
    if isSameMatch, let last, snapshot.seq < last.seq { return startOver() }
    let lost = isSameMatch ? lost : nil
    last = (snapshot.match, snapshot.seq)
    var (isSameGame, isNew) = (false, true)
    if isSameMatch, number == self.number, let beginning {
      guard state.isSameGame(as: beginning) else { return startOver() }
      news.moveDidBegin(timeLeft: state.timeLeft)
      (isSameGame, isNew) = (true, board != state.board)
      board = state.board
      if isRunning, isNew { game?.show(state.board) }
    } else {
      begin(state, number: number)
    }
    news.show(online: snapshot.online)
    news.spectatorsDidChange(to: snapshot.spectators)
    if isRunning, let outcome = snapshot.outcome { end(outcome, state.score) }
    self.lost = nil
    switch lost {
    case .move(let cell) where isSameGame && isRunning && !isNew && board?.turn == state.you:
      place(at: cell)
    case .resign where isSameGame && isRunning: resign()
    case .leave where last != nil: leave()
    default: news.setRepeating(false)
    }
  }

  private func isOther(_ snapshot: MatchSnapshot) -> Bool {
    guard let last, let beginning else { return false }
    let (new, old) = (snapshot.state.players, beginning.players)
    return snapshot.seq < last.seq || snapshot.state.game != beginning.game
      || new != old && new != old.swapped
  }

  func spectatorsDidChange(in match: String, to count: Int) {
    if match == last?.match { news.spectatorsDidChange(to: count) }
  }

  /// Counts an event of a type that this client does not know.
  func receiveUnknown(match: String, seq: Int) {
    if match == last?.match, accept(match, seq) { syncs = 0 }
  }

  /// Sends a move, unless another one is on its way, or the opponent's is: it would be made on a
  /// board that the person has not seen.
  func place(at cell: Cell) {
    guard mayPlace else { return game?.wasRefused(.notYourTurn) ?? () }
    isPlacing = true
    send(.place(cell, seq: nil), orRepeat: .move(cell))
  }

  private var mayPlace: Bool {
    guard isRunning, let board, let own = beginning?.you else { return true }
    return board.turn == own && !isPlacing
  }

  func resign() {
    send(.resign, orRepeat: .resign)
  }

  func leave() {
    send(.leave, orRepeat: .leave)
  }

  /// A `leave` was lost with the connection. It is sent again if the match goes on.
  func didLoseLeave() {
    if last != nil { lost = .leave }
  }

  /// Sends a command, which takes the place of one that was lost.
  private func send(_ command: Command, orRepeat repeated: Lost) {
    lost = nil
    var isSent = false
    link.send(command) { [weak self] answer in
      guard let self else { return }
      isPlacing = false
      // Without a connection, the answer has come at once.
      if answer == nil, isSent, last != nil { lost = repeated } else { didAnswer(answer) }
    }
    isSent = true
  }

  /// Forgets the match, because it is over.
  func forget() {
    forgetLost()
    last = nil
    beginning = nil
    board = nil
    isRunning = false
    mayBeOther = false
    syncs = 0
    news.matchDidEnd()
  }

  /// Continues on a new connection. Repeated events have their original times. A snapshot has the
  /// current times, so a timed match asks for a snapshot, as does one whose command may be lost.
  func didReconnect() {
    isSyncing = false
    if news.isTimed || lost != nil { link.send(.sync(seq: nil)) { _ in } }
  }

  /// An earlier session of the player goes on, and the server sends a snapshot of its match. That
  /// may have the id of this match, because a server without its data gives out the same ids again.
  func willShowOther() {
    forgetLost()
    last = nil
    beginning = nil
    syncs = 0
  }

  /// The spectator has a new session, and asks to watch the match again. A server that has lost its
  /// data may have another match with this id.
  func willWatchAgain() {
    didReconnect()
    mayBeOther = true
  }

  private func begin(_ state: GameState, number: Int) {
    isPlacing = false
    if case .leave = lost {} else { forgetLost() }
    beginning = state
    board = state.board
    self.number = number
    isRunning = true
    delegate?.match(didStart: state)
    // The delegate has left a game that cannot be played here.
    if isRunning, let last { news.gameDidBegin(state, in: last.match) }
  }

  private func end(_ outcome: Outcome, _ score: Score) {
    isRunning = false
    news.moveDidBegin(timeLeft: nil)
    delegate?.match(didEndGame: outcome, score: score)
    game?.gameDidEnd(with: outcome)
  }

  private func forgetLost() {
    lost = nil
    news.setRepeating(false)
  }

  private func didAnswer(_ answer: Event?) {
    news.setRepeating(false)
    switch answer {
    case nil: delegate?.matchDidNotReply()
    case .error(let code, _, _, _): game?.wasRefused(MoveError(code))
    default: break
    }
  }

  /// Returns whether an event is the next one. Counting begins with the first event that this
  /// client knows. Old events are ignored. If an event is missing, the match asks for it.
  private func accept(_ match: String, _ seq: Int) -> Bool {
    if let last {
      guard match == last.match else {
        sync(after: nil)
        return false
      }
      guard seq > last.seq, !isSyncing else { return false }
      guard seq == last.seq + 1 else {
        sync(after: syncs == 0 ? lastSeq : nil)
        return false
      }
    }
    last = (match, seq)
    return true
  }

  /// Closes the link, because the events contradict each other. On the next connection, the match
  /// begins with the server's snapshot, whatever came before.
  private func startOver() {
    last?.seq = 0
    beginning = nil
    syncs = 0
    link.close(.outOfStep)
  }

  /// Asks for the events after `seq`, or for a snapshot if `seq` is `nil`. Closes the link if a
  /// snapshot has not helped either.
  private func sync(after seq: Int?) {
    guard !isSyncing else { return }
    guard syncs < 2 else { return startOver() }
    syncs = seq == nil ? 2 : 1
    isSyncing = true
    link.send(.sync(seq: seq)) { [weak self] answer in
      guard let self else { return }
      isSyncing = false
      guard case .error = answer else { return }
      delegate?.matchDidVanish()
    }
  }
}

extension GameState {
  /// Whether this state and another one can belong to the same game.
  fileprivate func isSameGame(as other: GameState) -> Bool {
    game == other.game && you == other.you && players == other.players
      && board.shape == other.board.shape
  }
}

extension MoveError {
  /// Converts a server's refusal of a move. A code that the rules do not know means that the server
  /// no longer has the game.
  init(_ code: ErrorCode) {
    self = MoveError.allCases.first { ErrorCode($0) == code } ?? .noGame
  }
}
