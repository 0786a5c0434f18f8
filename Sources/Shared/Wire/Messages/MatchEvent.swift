/// Something that happened in a match. Both players and all spectators get it.
package struct MatchEvent: Equatable, Sendable {
  package enum Body: Equatable, Sendable {
    case gameDidStart(GameState)
    /// `timeLeft` is the time for the next move; `nil` if moves are not timed.
    case boardDidChange(Change, timeLeft: Duration? = nil)
    case gameDidEnd(Outcome, Score)
    /// `grace` is the time in which a disconnected player may return.
    case presenceDidChange(Mark, online: Bool, grace: Duration? = nil)
    /// `by` is `nil` for a shutdown.
    case matchDidEnd(MatchEndReason, by: Mark?, Score)
    /// `mark` is `nil` for a spectator.
    case didSay(from: String, mark: Mark? = nil, text: String)
  }

  /// The id of the match.
  package let match: String
  /// The number of the event. It starts at 1 and goes up by exactly 1 with each event of the match.
  package let seq: Int
  package let body: Body

  package init(match: String, seq: Int, _ body: Body) {
    self.match = match
    self.seq = seq
    self.body = body
  }
}

/// Why a match is over. The raw values are those of the wire.
package enum MatchEndReason: String, CaseIterable, Sendable {
  case left
  /// A disconnected player did not return in time.
  case abandoned
  /// The server is stopping.
  case shutdown
}

/// The whole state of a game, as `gameDidStart` and `matchSnapshot` carry it.
package struct GameState: Equatable, Sendable {
  /// The id of the game.
  package let game: String
  /// The receiver's mark; `nil` for a spectator, and in a line that has not been copied for a
  /// receiver yet.
  package let you: Mark?
  /// The names of the players.
  package let players: PerMark<String>
  /// The wire carries its shape, marks and turn, but not its `outcome`, which is `nil` when
  /// decoded.
  package let board: Board
  package let score: Score
  /// The level of the bot; `nil` if two people play.
  package let level: BotLevel?
  /// The time for the next move; `nil` if moves are not timed.
  package let timeLeft: Duration?

  package init(
    game: String, you: Mark? = nil, players: PerMark<String>, board: Board, score: Score,
    level: BotLevel? = nil, timeLeft: Duration? = nil
  ) {
    self.game = game
    self.you = you
    self.players = players
    self.board = board
    self.score = score
    self.level = level
    self.timeLeft = timeLeft
  }
}

/// The whole state of a match, for a client that cannot catch up by diffs.
package struct MatchSnapshot: Equatable, Sendable {
  /// The id of the match.
  package let match: String
  /// The number of the last event that it contains. The snapshot has no number of its own.
  package let seq: Int
  package let state: GameState
  /// Which players are connected.
  package let online: PerMark<Bool>
  package let spectators: Int
  /// How the last game ended; `nil` while a game runs.
  package let outcome: Outcome?

  package init(
    match: String, seq: Int, _ state: GameState, online: PerMark<Bool>, spectators: Int = 0,
    outcome: Outcome?
  ) {
    self.match = match
    self.seq = seq
    self.state = state
    self.online = online
    self.spectators = spectators
    self.outcome = outcome
  }
}
