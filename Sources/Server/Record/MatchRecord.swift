import Shared

/// What the stored events of a match say of it, for the results of its games. `StoredMatch` also
/// compares them with the rules.
struct MatchRecord {
  let id: String
  let game: String
  /// By the marks of the first game.
  let players: PerMark<String>
  /// The accounts that the next or running game counts for.
  var accounts: PerMark<Int>?
  /// The number of its events.
  private(set) var events = 0
  private(set) var hasEnded = false
  /// The number of games that have begun.
  private var games = 0
  /// The number of moves in the last game.
  private var moves = 0

  init(_ id: String, game: String, players: PerMark<String>) {
    self.id = id
    self.game = game
    self.players = players
  }

  init(_ beginning: BeginningRecord) {
    self.init(beginning.match, game: beginning.game, players: beginning.names)
  }

  var hasBegun: Bool { games > 0 }

  /// The marks of the players in the last game.
  var order: MarkOrder { MarkOrder(inGame: games) }

  /// Describes the match for a replay.
  var header: ReplayHeader {
    ReplayHeader(match: id, game: game, players: players, last: events)
  }

  /// Applies the next event, as it is decoded. `time` is that of the record, in milliseconds since
  /// 1970; `nil` if the result of a game is not needed.
  ///
  /// - Returns: the result, if the event ends a game.
  mutating func apply(_ event: MatchEvent.Body, at time: Int?) -> GameResult? {
    switch event {
    case .gameDidStart: apply(.gameStart, at: time)
    case .boardDidChange: apply(.move, at: time)
    case .gameDidEnd(let outcome, _): apply(.gameEnd, outcome, at: time)
    case .matchDidEnd: apply(.matchEnd, at: time)
    case .presenceDidChange, .didSay: apply(.other, at: time)
    }
  }

  /// Applies the next event, of which `line` is the line, without decoding more than is needed.
  mutating func apply(
    _ head: EventHead?, _ line: UnsafeRawBufferPointer, at time: Int?
  ) -> GameResult? {
    apply(head?.kind ?? .other, Outcome(ofLine: line), at: time)
  }

  /// `outcome` is used at the end of a game.
  private mutating func apply(
    _ kind: EventHead.Kind, _ outcome: @autoclosure () -> Outcome? = nil, at time: Int?
  ) -> GameResult? {
    events += 1
    switch kind {
    case .gameStart:
      games += 1
      moves = 0
    case .move: moves += 1
    case .gameEnd:
      defer { accounts = nil }
      guard let time, let outcome = outcome() else { return nil }
      return GameResult(
        match: id, game: game, players: order.swapped(players), accounts: accounts,
        outcome: outcome, moves: moves, ended: time)
    case .matchEnd: hasEnded = true
    case .other: break
    }
    return nil
  }
}

/// A finished game.
struct GameResult: Equatable {
  let match: String
  let game: String
  /// By the marks of the game.
  let players: PerMark<String>
  /// The accounts that the game counts for; `nil` if it is not rated.
  let accounts: PerMark<Int>?
  let outcome: Outcome
  let moves: Int
  /// In milliseconds since 1970.
  let ended: Int
}
