import Shared

/// A participant's copy of a match, built from the events it received. Each event must follow from
/// those before it.
struct MatchReplica {
  let id: String
  private(set) var seq: Int
  private(set) var you: Mark?
  private(set) var players: PerMark<String>
  private(set) var board: Board
  private(set) var score: Score
  private(set) var online: PerMark<Bool>
  /// `nil` while a game runs.
  private(set) var outcome: Outcome?
  /// The last event that changed the board; `nil` if it came before the first known event.
  private(set) var boardSeq: Int?
  private(set) var isOver = false

  /// The first event of a match.
  init(_ event: MatchEvent) throws(ViolationError) {
    guard case .gameDidStart(let state) = event.body, event.seq == 1 else {
      throw ViolationError("a match begins with \(event)")
    }
    self.init(event.match, event.seq, state, online: PerMark(x: true, o: true))
    boardSeq = 1
    try require(score == Score() && isFresh(state), "a match begins with \(state)")
  }

  init(_ snapshot: MatchSnapshot) {
    self.init(snapshot.match, snapshot.seq, snapshot.state, online: snapshot.online)
    outcome = snapshot.outcome
  }

  private init(_ id: String, _ seq: Int, _ state: GameState, online: PerMark<Bool>) {
    self.id = id
    self.seq = seq
    you = state.you
    players = state.players
    board = state.board
    score = state.score
    self.online = online
  }

  var isRunning: Bool { outcome == nil }

  var opponent: String? { you.map { players[$0.other] } }

  mutating func apply(_ event: MatchEvent) throws(ViolationError) {
    try require(event.match == id, "an event of another match: \(event.match), not \(id)")
    try require(event.seq == seq + 1, "event \(event.seq) follows \(seq)")
    if let outcome, outcome.reason == .left || outcome.reason == .abandoned {
      guard case .matchDidEnd(_, by: outcome.winner?.other, _) = event.body else {
        throw ViolationError("after a game that was \(outcome.reason) comes \(event)")
      }
    }
    seq = event.seq
    switch event.body {
    case .gameDidStart(let state): try start(state)
    case .boardDidChange(let change, _): try apply(change)
    case .gameDidEnd(let outcome, let score): try end(outcome, score)
    case .presenceDidChange(let mark, let isOnline, _):
      try require(online[mark] != isOnline, "\(mark) is online \(isOnline) twice")
      online[mark] = isOnline
    case .matchDidEnd(let reason, _, let score):
      try require(score == self.score, "the score \(score) at the end was \(self.score)")
      try require(reason == .shutdown || !isRunning, "a match ends while its game runs")
      isOver = true
    case .didSay: break
    }
  }

  private mutating func start(_ state: GameState) throws(ViolationError) {
    try require(!isRunning, "a game begins while one runs")
    try require(
      state.players == players.swapped && state.score == score.swapped
        && state.you == you?.other && isFresh(state), "the next game is \(state)")
    (you, players, score) = (state.you, state.players, state.score)
    (board, online, outcome, boardSeq) = (state.board, online.swapped, nil, seq)
  }

  private mutating func apply(_ change: Change) throws(ViolationError) {
    let placement = change.placement
    try require(isRunning, "a move after the end")
    try require(
      change.others.isEmpty && board.turn == placement.mark
        && board.freeCells.contains(placement.cell) && board.apply(change)
        && board.hash == change.hash, "the change \(change) does not fit \(board.rows)")
    boardSeq = seq
  }

  private mutating func end(_ outcome: Outcome, _ score: Score) throws(ViolationError) {
    try require(isRunning, "a game ends twice")
    var counted = self.score
    counted.count(outcome)
    try require(score == counted, "the score \(score) is not \(counted)")
    self.score = score
    self.outcome = outcome
  }

  private func isFresh(_ state: GameState) -> Bool {
    state.board == Board(state.board.shape)
  }

  /// Throws unless a snapshot of the same event is equal to this copy.
  func check(_ snapshot: MatchSnapshot) throws(ViolationError) {
    let other = MatchReplica(snapshot)
    try require(
      id == other.id && seq == other.seq && you == other.you && players == other.players
        && board.rows == other.board.rows && score == other.score && online == other.online
        && outcome == other.outcome && (!isRunning || board.turn == other.board.turn),
      "the snapshot \(snapshot) is not \(self)")
  }
}
