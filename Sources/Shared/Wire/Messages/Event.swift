/// A line of the server: something that happened, or the reply to a command.
package enum Event: Equatable, Sendable {
  case hello(Hello)
  /// Only the reply to `resume` has a `place`.
  case didLogin(name: String, token: String?, place: SessionPlace? = nil, registered: Bool = false)
  case didRegister(name: String)
  case didUnregister(name: String)
  /// No `opponent` means anyone, or a player with the `code`. Between games both are always
  /// absent. `expires` is how long the invitation of the opponent still stands; `nil` means no
  /// limit.
  case didQueue(game: String, opponent: String?, code: String? = nil, expires: Duration? = nil)
  /// No `reason` means that the player has cancelled the request.
  case didCancel(reason: CancelReason? = nil)
  /// `expires` is how long the invitation still stands; `nil` means no limit.
  case invited(from: String, game: String, expires: Duration? = nil)
  case invitationDidEnd(from: String, game: String)
  /// A word of the operator. `timeLeft` is the time until the server stops; `nil` if it does not
  /// stop.
  case announcement(text: String, timeLeft: Duration? = nil)
  case match(MatchEvent)
  /// How many spectators a match has now. It is about a match, but has no number.
  case spectatorsDidChange(match: String, count: Int)
  case matchSnapshot(MatchSnapshot)
  case didLeave
  case matches(Page<MatchSummary>)
  case players(Page<PlayerSummary>)
  case games(Page<GameSummary>)
  case history(HistoryPage)
  case leaderboard(Leaderboard)
  /// The stored events of a match follow, up to `replayDidEnd`.
  case replayDidStart(ReplayHeader)
  /// `next` is the `seq` to go on from; `nil` after the last event.
  case replayDidEnd(match: String, next: Int?)
  case pong
  case help(HelpEntry)
  /// `retry` is how long to wait before trying again.
  case error(ErrorCode, message: String, field: String? = nil, retry: Duration? = nil)
  /// `retry` is how long to wait before connecting again. Zero means at once; `nil` means not at
  /// all. `to` is the address of the server where the session continues, as `host:port`; only
  /// `moved` has it.
  case bye(ByeCode, message: String, retry: Duration? = nil, to: String? = nil)
  /// An event of a type that this version does not know. It is only decoded. If it has a `seq`, the
  /// client must count it.
  case unknown(match: String?, seq: Int?)

  /// The reply to a line that could not be decoded.
  package static func error(_ error: LineError) -> Event {
    .error(error.code, message: error.message, field: error.field)
  }

  /// The refusal of a command, with the code's own message.
  package static func error(
    _ code: ErrorCode, field: String? = nil, retry: Duration? = nil
  ) -> Event {
    .error(code, message: code.message, field: field, retry: retry)
  }

  /// The refusal of a move on a board. Off the board, the message says which rows and columns there
  /// are.
  package static func error(_ error: MoveError, on shape: BoardShape) -> Event {
    guard error == .outOfBoard else { return .error(ErrorCode(error)) }
    return .error(
      .outOfBoard,
      message: "row must be 0 to \(shape.rows - 1), and col 0 to \(shape.columns - 1); or the cell"
        + " a1 to \(Cell(row: shape.rows - 1, column: shape.columns - 1).label)."
        + " Type: help place")
  }

  /// The last line of a connection, with the code's own message.
  package static func bye(_ code: ByeCode, retry: Duration? = nil) -> Event {
    .bye(code, message: code.message, retry: retry)
  }

  /// The last line of a connection whose session continues at another server. `address` is
  /// `host:port`; an IPv6 address is in brackets. The message does not contain the token, because
  /// messages are written to traces.
  package static func moved(to address: String) -> Event {
    .bye(
      .moved,
      message: "Your session continues at \(address). Connect there and type: resume TOKEN",
      retry: .zero, to: address)
  }

  /// The reply to a `login` with the password of a player whose match is at another server.
  package static func matchIsElsewhere(at address: String) -> Event {
    .bye(
      .moved,
      message: "Your match goes on at \(address). Connect there and type: login NAME PASSWORD",
      retry: .zero, to: address)
  }
}

/// Why the request of a player no longer stands. The raw values are those of the wire.
package enum CancelReason: String, CaseIterable, Sendable {
  case declined
  /// The named opponent has not replied in time.
  case expired
  /// The session of the named opponent has ended.
  case left
}

/// The types of the server's lines, in the order of the protocol.
enum EventType: String, CaseIterable, Sendable {
  case hello, didLogin, didRegister, didUnregister, didQueue, didCancel, invited, invitationDidEnd,
    announcement
  case gameDidStart, boardDidChange, gameDidEnd, presenceDidChange, matchDidEnd, didSay
  case spectatorsDidChange, matchSnapshot, didLeave
  case matches, players, games, history, leaderboard, replayDidStart, replayDidEnd
  case pong, help, error, bye
}
