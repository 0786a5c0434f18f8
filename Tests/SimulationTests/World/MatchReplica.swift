import Shared

/// A participant's copy of a match, built from the events it received. Each event must follow from
/// those before it.
struct MatchReplica {
  let id: String
  let game: String
  private(set) var seq: Int
  private(set) var you: Mark?
  private(set) var players: PerMark<String>
  /// With the rules of the game, so that it can tell what each move changes.
  private(set) var board: Board
  /// The level of the bot.
  private(set) var level: BotLevel?
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
    let board = try Self.freshBoard(of: state)
    self.init(event.match, event.seq, state, board, online: PerMark(x: true, o: true))
    boardSeq = 1
    try require(score == Score(), "a match begins with \(state)")
  }

  /// `board` is the server's board as of the snapshot.
  init(_ snapshot: MatchSnapshot, board: Board?) throws(ViolationError) {
    guard let board else { throw ViolationError("there is no board of \(snapshot)") }
    self.init(snapshot.match, snapshot.seq, snapshot.state, board, online: snapshot.online)
    outcome = snapshot.outcome
    let told = snapshot.state.board
    try require(
      board.shape == told.shape && board.rows == told.rows
        && (!isRunning || board.turn == told.turn && board.open == told.open),
      "the snapshot \(snapshot) is not of the board \(board)")
  }

  private init(
    _ id: String, _ seq: Int, _ state: GameState, _ board: Board, online: PerMark<Bool>
  ) {
    self.id = id
    self.seq = seq
    self.board = board
    game = state.game
    level = state.level
    you = state.you
    players = state.players
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
        && state.you == you?.other && state.game == game, "the next game is \(state)")
    (you, players, score, level) = (state.you, state.players, state.score, state.level)
    (online, outcome, boardSeq) = (online.swapped, nil, seq)
    board = try Self.freshBoard(of: state)
  }

  private mutating func apply(_ change: Change) throws(ViolationError) {
    let placement = change.placement
    try require(isRunning, "a move after the end")
    try require(
      board.openCells.contains(placement.cell), "\(placement) is not open on \(board.rows)")
    let own: Change
    do throws(MoveError) {
      own = try board.place(placement.mark, at: placement.cell)
    } catch {
      throw ViolationError("\(error): \(change) does not fit \(board.rows)")
    }
    try require(own == change, "the change \(change) is not \(own)")
    boardSeq = seq
  }

  private mutating func end(_ outcome: Outcome, _ score: Score) throws(ViolationError) {
    try require(isRunning, "a game ends twice")
    let isByMove = outcome.reason == .line || outcome.reason == .full
    try require(
      board.outcome == (isByMove ? outcome : nil), "\(outcome), not \(board.outcome as Any)")
    var counted = self.score
    counted.count(outcome)
    try require(score == counted, "the score \(score) is not \(counted)")
    self.score = score
    self.outcome = outcome
  }

  /// Returns the empty board of the game, which must be the one that the server sends.
  private static func freshBoard(of state: GameState) throws(ViolationError) -> Board {
    let board = GameInfo.all.first { $0.id == state.game }?.board
    guard let board, board == state.board else {
      throw ViolationError("a game begins with \(state)")
    }
    return board
  }

  /// Throws unless a snapshot of the same event is equal to this copy.
  func check(_ snapshot: MatchSnapshot) throws(ViolationError) {
    let other = try MatchReplica(snapshot, board: board)
    try require(
      id == other.id && seq == other.seq && you == other.you && players == other.players
        && game == other.game && level == other.level && score == other.score
        && online == other.online && outcome == other.outcome,
      "the snapshot \(snapshot) is not \(self)")
  }
}
