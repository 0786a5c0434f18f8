/// A line that the server writes: something has happened, or a command is answered.
package enum Event: Equatable, Sendable {
  case hello(Hello)
  /// `place` is there after `resume` only.
  case didLogin(name: String, token: String?, place: SessionPlace? = nil)
  /// `opponent` is absent between games, and where anyone will do.
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
  /// `retry`: how long to wait before another try is worth it.
  case error(ErrorCode, message: String, field: String? = nil, retry: Duration? = nil)
  /// `retry`: until a new connection is welcome; zero: at once; absent: don't.
  case bye(ByeCode, message: String, retry: Duration? = nil)
  /// Of a type that this version does not know, and never written; `seq` is to be counted where
  /// there is one.
  case unknown(match: String?, seq: Int?)

  /// The answer to a line that could not be read.
  package static func error(_ error: LineError) -> Event {
    .error(error.code, message: error.message, field: error.field)
  }

  /// The refusal of a command in the code's own words.
  package static func error(
    _ code: ErrorCode, field: String? = nil, retry: Duration? = nil
  ) -> Event {
    .error(code, message: code.message, field: field, retry: retry)
  }

  /// A last line in the code's own words.
  package static func bye(_ code: ByeCode, retry: Duration? = nil) -> Event {
    .bye(code, message: code.message, retry: retry)
  }
}

/// The types of the lines that the server writes, in the order of the protocol.
enum EventType: String, CaseIterable, Sendable {
  case hello, didLogin, didQueue, didCancel, invited, invitationDidEnd
  case gameDidStart, boardDidChange, gameDidEnd, presenceDidChange, matchDidEnd, didSay
  case matchSnapshot, didLeave
  case matches, players, games, pong, help, error, bye
}
