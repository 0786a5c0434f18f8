/// A line of the server: something that happened, or the reply to a command.
package enum Event: Equatable, Sendable {
  case hello(Hello)
  /// Only the reply to `resume` has a `place`.
  case didLogin(name: String, token: String?, place: SessionPlace? = nil)
  /// No `opponent` means anyone. Between games it is always absent.
  case didQueue(game: String, opponent: String?)
  case didCancel
  case invited(from: String, game: String)
  case invitationDidEnd(from: String, game: String)
  case match(MatchEvent)
  case matchSnapshot(MatchSnapshot)
  case didLeave
  case matches(Page<MatchSummary>)
  case players(Page<PlayerSummary>)
  case games(Page<GameSummary>)
  case pong
  case help(HelpEntry)
  /// `retry` is how long to wait before trying again.
  case error(ErrorCode, message: String, field: String? = nil, retry: Duration? = nil)
  /// `retry` is how long to wait before connecting again. Zero means at once; `nil` means not at
  /// all.
  case bye(ByeCode, message: String, retry: Duration? = nil)
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
      message: "row must be 0 to \(shape.rows - 1), and col 0 to \(shape.columns - 1)."
        + " Type: help place")
  }

  /// The last line of a connection, with the code's own message.
  package static func bye(_ code: ByeCode, retry: Duration? = nil) -> Event {
    .bye(code, message: code.message, retry: retry)
  }
}

/// The types of the server's lines, in the order of the protocol.
enum EventType: String, CaseIterable, Sendable {
  case hello, didLogin, didQueue, didCancel, invited, invitationDidEnd
  case gameDidStart, boardDidChange, gameDidEnd, presenceDidChange, matchDidEnd, didSay
  case matchSnapshot, didLeave
  case matches, players, games, pong, help, error, bye
}
