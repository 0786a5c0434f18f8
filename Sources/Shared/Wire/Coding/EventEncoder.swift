/// Encodes the lines of the server, each with its LF.
package enum EventEncoder {
  /// The maximum size of a field `re` in bytes: each of its characters is escaped.
  package static let maxReplyIDField = ",\"re\":\"\"".utf8.count + 6 * ProtocolLimits.maxIDLength

  /// Calls `body` with an event as one line. `re` is the `id` of the command to which the event
  /// replies. The event must not be `unknown`.
  package static func withLine(
    _ event: Event, re: RequestID? = nil, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine({ put(event, re, ProtocolLimits.maxEventLine, to: &$0) }, body)
  }

  /// Appends an event as one line; a list is cut to a line of up to `maxListBytes`.
  package static func append(
    _ event: Event, re: RequestID? = nil, maxListBytes: Int = ProtocolLimits.maxEventLine,
    to line: inout [UInt8]
  ) {
    LineWriter.withLine({ put(event, re, maxListBytes, to: &$0) }, { line.append($0) })
  }

  /// Calls `body` with an event of a match as one line.
  package static func withLine(
    _ event: MatchEvent.Body, match: QuotedName, seq: Int, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        put(event, match, seq, nil, to: &line)
        line.put("}\n")
      }, body)
  }

  /// The same for the start of a game, without the cost of a `MatchEvent`. `timeLeft` replaces that
  /// of the state.
  package static func withLine(
    _ state: GameState, timeLeft: EncodedTime?, match: QuotedName, seq: Int,
    _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        put(start: state, timeLeft: timeLeft, match, seq, nil, to: &line)
        line.put("}\n")
      }, body)
  }

  /// The same for `boardDidChange`, the one event of the hot path. `timeLimit` is the
  /// time for a move; `nil` if moves are not timed.
  package static func withLine(
    _ change: Change, timeLimit: EncodedTime?, match: QuotedName, seq: Int,
    _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        line.put("{\"type\":\"boardDidChange\"")
        line.put(match: match, seq: seq)
        line.put(change, timeLeft: change.turn == nil ? nil : timeLimit)
        line.put("}\n")
      }, body)
  }

  /// Calls `body` with the reply to the command `board`.
  package static func withLine(
    board: Board, match: String, re: RequestID?, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        line.put("{\"type\":\"board\"")
        line.put("re", re)
        line.put("match", match)
        line.put(field: "rows")
        line.put(rowsOf: board)
        line.put("}\n")
      }, body)
  }

  /// Calls `body` with a copy of an encoded line, with its LF, to which the fields of one receiver
  /// are added. The line must not have these fields. So an event of a match is encoded once for all
  /// receivers. A hint for which the line has no room is left out.
  package static func withCopy(
    of original: Span<UInt8>, re: RequestID?, hint: String? = nil, you: Mark? = nil,
    _ body: (Span<UInt8>) -> Void
  ) {
    original.withUnsafeBytes { original in
      // The value of `type`, which comes first, is plain and ends with the next quote.
      let quote = original.index(of: UInt8(ascii: "\""), from: "{\"type\":\"".utf8.count)
      guard let quote else { preconditionFailure("An event begins with its type.") }
      LineWriter.withLine(
        { line in
          line.put(UnsafeRawBufferPointer(rebasing: original[...quote]))
          line.put("re", re)
          // Escaping makes a character up to 6 times as long.
          if let hint,
            original.count + maxReplyIDField + 6 * hint.utf8.count < ProtocolLimits.maxEventLine
          {
            line.put("hint", hint)
          }
          line.put("you", you)
          line.put(UnsafeRawBufferPointer(rebasing: original[(quote + 1)...]))
        }, body)
    }
  }

  private static func put(
    _ event: Event, _ re: RequestID?, _ maxListBytes: Int, to line: inout LineWriter
  ) {
    switch event {
    case .hello(let hello):
      line.begin(.hello, re)
      put(hello, to: &line)
    case .didLogin(let name, let token, let place, let registered):
      line.begin(.didLogin, re)
      line.put("name", name)
      line.put("token", token)
      line.put("place", plain: place?.rawValue)
      if registered { line.put("registered", true) }
    case .didRegister(let name):
      line.begin(.didRegister, re)
      line.put("name", name)
    case .didUnregister(let name):
      line.begin(.didUnregister, re)
      line.put("name", name)
    case .didQueue(let game, let opponent, let code, let expires):
      line.begin(.didQueue, re)
      line.put("game", game)
      line.put("opponent", opponent)
      line.put("code", code)
      line.put("expires", expires)
    case .didCancel(let reason):
      line.begin(.didCancel, re)
      line.put("reason", plain: reason?.rawValue)
    case .invited(let from, let game, let expires):
      line.begin(.invited, re)
      line.put("from", from)
      line.put("game", game)
      line.put("expires", expires)
    case .invitationDidEnd(let from, let game):
      line.begin(.invitationDidEnd, re)
      line.put("from", from)
      line.put("game", game)
    case .announcement(let text, let timeLeft):
      line.begin(.announcement, re)
      line.put("text", text)
      line.put("left", timeLeft)
    case .spectatorsDidChange(let match, let count):
      line.begin(.spectatorsDidChange, re)
      line.put("match", match)
      line.put("count", count)
    case .match(let event):
      put(event.body, QuotedName(event.match), event.seq, re, to: &line)
    case .matchSnapshot(let snapshot):
      put(snapshot, re, to: &line)
    case .didLeave:
      line.begin(.didLeave, re)
    case .matches(let page):
      put(matches: page.items, more: page.more, re, maxBytes: maxListBytes, to: &line)
    case .players(let page):
      put(players: page.items, more: page.more, re, maxBytes: maxListBytes, to: &line)
    case .games(let page):
      put(games: page.items, more: page.more, re, maxBytes: maxListBytes, to: &line)
    case .history(let page):
      line.begin(.history, re)
      put(page, to: &line)
    case .leaderboard(let leaderboard):
      line.begin(.leaderboard, re)
      put(leaderboard, to: &line)
    case .replayDidStart(let header):
      line.begin(.replayDidStart, re)
      line.put("match", header.match)
      line.put("game", header.game)
      line.put(header.players)
      line.put("last", header.last)
    case .replayDidEnd(let match, let next):
      line.begin(.replayDidEnd, re)
      line.put("match", match)
      line.put("next", next)
    case .pong:
      line.begin(.pong, re)
    case .help(let help):
      line.begin(.help, re)
      line.put("command", help.command)
      line.put("usage", help.usage)
      line.put("example", help.example)
      line.put("about", help.about)
    case .error(let code, let message, let field, let retry):
      line.begin(.error, re)
      line.put("code", plain: code.rawValue)
      line.put("message", message)
      line.put("field", field)
      line.put("retry", retry)
    case .bye(let code, let message, let retry, let to):
      line.begin(.bye, re)
      line.put("code", plain: code.rawValue)
      line.put("message", message)
      line.put("to", to)
      line.put("retry", retry)
    case .unknown:
      preconditionFailure("An unknown event is only decoded.")
    }
    line.put("}\n")
  }

  private static func put(_ hello: Hello, to line: inout LineWriter) {
    line.put("protocol", hello.protocolVersion)
    line.put("server", hello.server)
    line.put(field: "games")
    line.put("[")
    for (index, game) in hello.games.enumerated() {
      if index > 0 { line.put(",") }
      line.put(game)
    }
    line.put("]")
    line.put(field: "limits")
    line.put(hello.limits)
    line.put("help", hello.help)
  }

  private static func put(
    start state: GameState, timeLeft: EncodedTime?, _ match: QuotedName, _ seq: Int,
    _ re: RequestID?, to line: inout LineWriter
  ) {
    line.begin(.gameDidStart, re)
    line.put("you", state.you)
    line.put(match: match, seq: seq)
    line.put(state, timeLeft: timeLeft)
  }

  /// Puts an event without its closing brace.
  private static func put(
    _ event: MatchEvent.Body, _ match: QuotedName, _ seq: Int, _ re: RequestID?,
    to line: inout LineWriter
  ) {
    switch event {
    case .gameDidStart(let state):
      put(
        start: state, timeLeft: state.timeLeft.map(EncodedTime.init), match, seq, re, to: &line)
    case .boardDidChange(let change, let timeLeft):
      line.begin(.boardDidChange, re)
      line.put(match: match, seq: seq)
      line.put(change, timeLeft: timeLeft.map(EncodedTime.init))
    case .gameDidEnd(let outcome, let score):
      line.begin(.gameDidEnd, re)
      line.put(match: match, seq: seq)
      line.put(outcome)
      line.put(score)
    case .presenceDidChange(let mark, let online, let grace):
      line.begin(.presenceDidChange, re)
      line.put(match: match, seq: seq)
      line.put("mark", mark)
      line.put("online", online)
      line.put("grace", grace)
    case .matchDidEnd(let reason, let by, let score):
      line.begin(.matchDidEnd, re)
      line.put(match: match, seq: seq)
      line.put("reason", plain: reason.rawValue)
      line.put("by", by)
      line.put(score)
    case .didSay(let from, let mark, let text):
      line.begin(.didSay, re)
      line.put(match: match, seq: seq)
      line.put("from", from)
      line.put("mark", mark)
      line.put("text", text)
    }
  }

  private static func put(_ snapshot: MatchSnapshot, _ re: RequestID?, to line: inout LineWriter) {
    line.begin(.matchSnapshot, re)
    line.put("you", snapshot.state.you)
    line.put(match: QuotedName(snapshot.match), seq: snapshot.seq)
    line.put(snapshot.state, timeLeft: snapshot.state.timeLeft.map(EncodedTime.init))
    line.put(field: "online")
    line.put("{\"X\":")
    line.put(snapshot.online.x)
    line.put(",\"O\":")
    line.put(snapshot.online.o)
    line.put("}")
    if snapshot.spectators > 0 { line.put("spectators", snapshot.spectators) }
    line.put("over", snapshot.outcome != nil)
    if let outcome = snapshot.outcome { line.put(outcome) }
  }
}
