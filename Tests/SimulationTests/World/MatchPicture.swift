import Shared

/// A match as one who is in it has been told.
struct MatchPicture {
  let id: String
  private(set) var seq: Int
  private(set) var you: Mark?
  private(set) var players: PerMark<String>
  private(set) var board: Board
  private(set) var score: Score
  private(set) var online: PerMark<Bool>
  /// `nil` while a game runs.
  private(set) var outcome: Outcome?
  /// The last event that changed the board; `nil` where it was before the first known one.
  private(set) var boardSeq: Int?
  private(set) var isOver = false

  /// The first event of a match.
  init(_ event: MatchEvent) throws(Violation) {
    guard case .gameDidStart(let picture) = event.body, event.seq == 1 else {
      throw Violation("a match begins with \(event)")
    }
    self.init(event.match, event.seq, picture, online: PerMark(x: true, o: true))
    boardSeq = 1
    try demand(score == Score() && isFresh(picture), "a match begins with \(picture)")
  }

  init(_ snapshot: MatchSnapshot) {
    self.init(snapshot.match, snapshot.seq, snapshot.state, online: snapshot.online)
    outcome = snapshot.outcome
  }

  private init(_ id: String, _ seq: Int, _ picture: GameState, online: PerMark<Bool>) {
    self.id = id
    self.seq = seq
    you = picture.you
    players = picture.players
    board = picture.board
    score = picture.score
    self.online = online
  }

  var isRunning: Bool { outcome == nil }

  var opponent: String? { you.map { players[$0.other] } }

  mutating func apply(_ event: MatchEvent) throws(Violation) {
    try demand(event.match == id, "an event of another match: \(event.match), not \(id)")
    try demand(event.seq == seq + 1, "event \(event.seq) follows \(seq)")
    if let outcome, outcome.reason == .left || outcome.reason == .abandoned {
      guard case .matchDidEnd(_, by: outcome.winner?.other, _) = event.body else {
        throw Violation("after a game that was \(outcome.reason) comes \(event)")
      }
    }
    seq = event.seq
    switch event.body {
    case .gameDidStart(let picture): try start(picture)
    case .boardDidChange(let change, _): try apply(change)
    case .gameDidEnd(let outcome, let score): try end(outcome, score)
    case .presenceDidChange(let mark, let isOnline, _):
      try demand(online[mark] != isOnline, "\(mark) is online \(isOnline) twice")
      online[mark] = isOnline
    case .matchDidEnd(let reason, _, let score):
      try demand(score == self.score, "the score \(score) at the end was \(self.score)")
      try demand(reason == .shutdown || !isRunning, "a match ends while its game runs")
      isOver = true
    case .didSay: break
    }
  }

  private mutating func start(_ picture: GameState) throws(Violation) {
    try demand(!isRunning, "a game begins while one runs")
    try demand(
      picture.players == players.swapped && picture.score == score.swapped
        && picture.you == you?.other && isFresh(picture), "the next game is \(picture)")
    (you, players, score) = (picture.you, picture.players, picture.score)
    (board, online, outcome, boardSeq) = (picture.board, online.swapped, nil, seq)
  }

  private mutating func apply(_ change: Change) throws(Violation) {
    let placement = change.placement
    try demand(isRunning, "a move after the end")
    try demand(
      change.others.isEmpty && board.turn == placement.mark
        && board.freeCells.contains(placement.cell) && board.apply(change)
        && board.hash == change.hash, "the change \(change) does not fit \(board.rows)")
    boardSeq = seq
  }

  private mutating func end(_ outcome: Outcome, _ score: Score) throws(Violation) {
    try demand(isRunning, "a game ends twice")
    var counted = self.score
    counted.count(outcome)
    try demand(score == counted, "the score \(score) is not \(counted)")
    self.score = score
    self.outcome = outcome
  }

  private func isFresh(_ picture: GameState) -> Bool {
    picture.board == Board(picture.board.shape)
  }

  /// Compares itself with the server's picture of the same moment.
  func check(_ snapshot: MatchSnapshot) throws(Violation) {
    let other = MatchPicture(snapshot)
    try demand(
      id == other.id && seq == other.seq && you == other.you && players == other.players
        && board.rows == other.board.rows && score == other.score && online == other.online
        && outcome == other.outcome && (!isRunning || board.turn == other.board.turn),
      "the snapshot \(snapshot) is not \(self)")
  }
}
