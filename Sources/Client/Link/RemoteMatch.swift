import Shared

/// A game's proxy as the match feeds it.
protocol RemoteGame: AnyObject {
  /// The state has been replaced.
  func show(_ board: Board)
  func boardDidChange(_ change: Change)
  func wasRefused(_ refusal: MoveError)
  func gameDidEnd(with outcome: Outcome)
}

/// What a match at the server comes to, for remote play.
protocol RemoteMatchListener: AnyObject {
  /// A game begins, or one that goes on takes the place of whatever there was.
  func match(didStart picture: GameState)
  /// Told before the game's proxy is.
  func match(didEndGame outcome: Outcome, score: Score)
  func match(didEnd reason: MatchEndReason, by mark: Mark?)
  /// What a person asked of it was not answered.
  func matchDidNotAnswer()
  /// It is over at the server, with no word of how; to be forgotten.
  func matchDidVanish()
}

/// A match at the server, across its games and across connections: checks that no event is missing
/// and that each change gives the server's board, asks for what is missing, and feeds the game's
/// proxy.
final class RemoteMatch {
  weak var listener: (any RemoteMatchListener)?
  /// The attached proxy.
  weak var game: (any RemoteGame)?
  let news: MutableMatchNews
  private let link: ServerLink
  /// The id of the match and the number of its last event; `nil` when there is no match.
  private(set) var last: (match: String, seq: Int)?
  /// What the game that runs, or ran last, began with; `nil` where there was none.
  private var beginning: GameState?
  /// Of that game; `nil` where it cannot be told any more.
  private var board: Board?
  /// Which game of the series that is, from 0.
  private var number = 0
  private var isRunning = false
  private var isSyncing = false
  /// How often it has asked for what is missing since the last event that was as it should be.
  private var syncs = 0

  init(link: ServerLink) {
    self.link = link
    news = MutableMatchNews(link: link)
  }

  func receive(_ event: MatchEvent) {
    guard accept(event.match, event.seq) else { return }
    switch event.body {
    case .gameDidStart(let picture):
      begin(picture, number: picture.score.games)
    case .boardDidChange(let change, let left):
      guard isRunning, board?.apply(change) == true, board?.hash == change.hash else {
        board = nil
        return sync(after: nil)
      }
      game?.boardDidChange(change)
      news.moveDidBegin(left: left)
    case .gameDidEnd(let outcome, let score):
      guard isRunning, let board, outcome.line?.allSatisfy(board.shape.contains) ?? true else {
        return sync(after: nil)
      }
      end(outcome, score)
    case .presenceDidChange(let mark, let online, let grace):
      news.presenceDidChange(of: mark, online: online, grace: grace)
    case .didSay(let from, let text):
      news.didSay(text, from: from)
    case .matchDidEnd(let reason, let mark, _):
      forget()
      listener?.match(didEnd: reason, by: mark)
    }
    syncs = 0
  }

  /// Takes over how the match stands, in place of events that are missing. Which game of the series
  /// it tells of follows from the score, so an end that was missed is noticed. A snapshot that tells
  /// of another game than the events did closes the link: whoever shows the game knows its board.
  func receive(_ snapshot: MatchSnapshot) {
    let picture = snapshot.state
    let number = picture.score.games - (snapshot.outcome == nil ? 0 : 1)
    let isSameMatch = last?.match == snapshot.match
    if isSameMatch, let last, snapshot.seq < last.seq { return link.close(.outOfStep) }
    last = (snapshot.match, snapshot.seq)
    if isSameMatch, number == self.number, let beginning {
      guard picture.isSameGame(as: beginning) else { return link.close(.outOfStep) }
      news.moveDidBegin(left: picture.timeLeft)
      if isRunning, board != picture.board { game?.show(picture.board) }
      board = picture.board
    } else {
      begin(picture, number: number)
    }
    news.show(online: snapshot.online)
    if isRunning, let outcome = snapshot.outcome { end(outcome, picture.score) }
  }

  /// Counts an event of a kind that this client does not know.
  func receiveUnknown(match: String, seq: Int) {
    if match == last?.match, accept(match, seq) { syncs = 0 }
  }

  func place(at cell: Cell) {
    send(.place(cell, seq: nil))
  }

  func resign() {
    send(.resign)
  }

  func leave() {
    send(.leave)
  }

  /// There is no match any more.
  func forget() {
    last = nil
    beginning = nil
    board = nil
    isRunning = false
    syncs = 0
    news.matchDidEnd()
  }

  /// The connection is another one. What comes again tells times as they were; a snapshot, which
  /// follows it, as they are.
  func didReconnect() {
    isSyncing = false
    if news.isTimed { link.send(.sync(seq: nil)) }
  }

  private func begin(_ picture: GameState, number: Int) {
    beginning = picture
    board = picture.board
    self.number = number
    isRunning = true
    listener?.match(didStart: picture)
    // A game that cannot be played here has been left.
    if isRunning, let last { news.gameDidBegin(picture, in: last.match) }
  }

  private func end(_ outcome: Outcome, _ score: Score) {
    isRunning = false
    news.moveDidBegin(left: nil)
    listener?.match(didEndGame: outcome, score: score)
    game?.gameDidEnd(with: outcome)
  }

  private func send(_ command: Command) {
    link.send(command) { [weak self] answer in
      switch answer {
      case nil: self?.listener?.matchDidNotAnswer()
      case .error(let code, _, _, _): self?.game?.wasRefused(MoveError(code))
      default: break
      }
    }
  }

  /// Whether an event is the next one, and so counts. A match is counted from its first event that
  /// this client knows. One that has come before is of no use; where one is missing, it is asked for.
  private func accept(_ match: String, _ seq: Int) -> Bool {
    if let last {
      guard match == last.match else {
        sync(after: nil)
        return false
      }
      guard seq > last.seq, !isSyncing else { return false }
      guard seq == last.seq + 1 else {
        sync(after: syncs == 0 ? last.seq : nil)
        return false
      }
    }
    last = (match, seq)
    return true
  }

  /// Asks for the events after a number, or for a snapshot. A server whose snapshot does not fit its
  /// events either is not asked for ever.
  private func sync(after seq: Int?) {
    guard !isSyncing else { return }
    guard syncs < 2 else { return link.close(.outOfStep) }
    syncs = seq == nil ? 2 : 1
    isSyncing = true
    link.send(.sync(seq: seq)) { [weak self] answer in
      guard let self else { return }
      isSyncing = false
      guard case .error = answer else { return }
      listener?.matchDidVanish()
    }
  }
}

extension GameState {
  /// Whether another picture can be of the same game, at a later move.
  fileprivate func isSameGame(as other: GameState) -> Bool {
    game == other.game && you == other.you && players == other.players
      && board.shape == other.board.shape
  }
}

extension Score {
  /// How many games it counts.
  fileprivate var games: Int { x + o + draws }
}

extension MoveError {
  /// What a server's refusal of a move means to the game; whatever is no refusal of the rules says
  /// that the server has no such game any more.
  init(_ code: ErrorCode) {
    self = MoveError.allCases.first { ErrorCode($0) == code } ?? .noGame
  }
}
