/// Writes the lines of the server, each with its LF.
package enum EventEncoder {
  /// Most bytes of a line, its LF included.
  package static let longestLine = 65_536

  /// Calls `body` with an event as one line; `re` is the `id` of the command that it answers. An
  /// `unknown` one is never written.
  package static func withLine(
    _ event: Event, re: RequestID? = nil, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine({ put(event, re, to: &$0) }, body)
  }

  /// Appends an event as one line.
  package static func append(_ event: Event, re: RequestID? = nil, to line: inout [UInt8]) {
    withLine(event, re: re) { line.append($0) }
  }

  /// Calls `body` with a copy of a line of this encoder, its LF included, with the fields that are the
  /// receiver's own, which the line must not have yet. An event of a match is encoded once and copied
  /// to all.
  package static func withCopy(
    of original: Span<UInt8>, re: RequestID?, you: Mark? = nil, _ body: (Span<UInt8>) -> Void
  ) {
    // The value of `type`, which comes first, is plain and ends with the next quote.
    var end = "{\"type\":\"".utf8.count
    while original[end] != UInt8(ascii: "\"") { end += 1 }
    end += 1
    original.withUnsafeBufferPointer { original in
      LineWriter.withLine(
        { line in
          line.put(UnsafeBufferPointer(rebasing: original[..<end]))
          line.put("re", re)
          line.put("you", you)
          line.put(UnsafeBufferPointer(rebasing: original[end...]))
        }, body)
    }
  }

  private static func put(_ event: Event, _ re: RequestID?, to line: inout LineWriter) {
    switch event {
    case .hello(let hello):
      begin(.hello, re, &line)
      put(hello, to: &line)
    case .didLogin(let name, let token, let place):
      begin(.didLogin, re, &line)
      line.put("name", name)
      line.put("token", token)
      line.put("place", plain: place?.rawValue)
    case .didQueue(let game, let opponent):
      begin(.didQueue, re, &line)
      line.put("game", game)
      line.put("opponent", opponent)
    case .didCancel:
      begin(.didCancel, re, &line)
    case .invited(let from, let game):
      begin(.invited, re, &line)
      line.put("from", from)
      line.put("game", game)
    case .invitationDidEnd(let from, let game):
      begin(.invitationDidEnd, re, &line)
      line.put("from", from)
      line.put("game", game)
    case .match(let event):
      put(event.body, QuotedName(event.match), event.seq, re, to: &line)
    case .matchSnapshot(let snapshot):
      put(snapshot, re, to: &line)
    case .didLeave:
      begin(.didLeave, re, &line)
    case .matches(let list):
      put(matches: list.items, more: list.more, re, to: &line)
    case .players(let list):
      put(players: list.items, more: list.more, re, to: &line)
    case .games(let list):
      put(games: list.items, more: list.more, re, to: &line)
    case .pong:
      begin(.pong, re, &line)
    case .help(let help):
      begin(.help, re, &line)
      line.put("command", help.command)
      line.put("usage", help.usage)
      line.put("example", help.example)
      line.put("about", help.about)
    case .error(let code, let message, let field, let retry):
      begin(.error, re, &line)
      line.put("code", plain: code.rawValue)
      line.put("message", message)
      line.put("field", field)
      line.put("retry", retry)
    case .bye(let code, let message, let retry):
      begin(.bye, re, &line)
      line.put("code", plain: code.rawValue)
      line.put("message", message)
      line.put("retry", retry)
    case .unknown:
      preconditionFailure("an unknown event is only read")
    }
    line.put("}\n")
  }

  static func begin(_ type: EventType, _ re: RequestID?, _ line: inout LineWriter) {
    line.put("{\"type\":")
    line.put(plain: type.rawValue)
    line.put("re", re)
  }

  private static func put(_ hello: Hello, to line: inout LineWriter) {
    line.put("protocol", hello.protocolVersion)
    line.put("server", hello.server)
    line.put(field: "games")
    line.put("[")
    for (index, game) in hello.games.enumerated() {
      if index > 0 { line.put(",") }
      put(game, to: &line)
    }
    line.put("]")
    line.put(field: "limits")
    put(hello.limits, to: &line)
    line.put("help", hello.help)
  }

  private static func put(_ limits: Limits, to line: inout LineWriter) {
    line.put("{\"line\":")
    line.put(limits.line)
    line.put("loginWithin", limits.loginWithin)
    line.put("resumeWithin", limits.resumeWithin)
    line.put("idle", limits.idle)
    line.put("perSecond", limits.perSecond)
    line.put("burst", limits.burst)
    line.put("}")
  }
}
