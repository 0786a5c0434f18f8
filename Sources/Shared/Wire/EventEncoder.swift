/// Writes the lines of the server, each with its LF.
package enum EventEncoder {
  /// Most bytes of a line, its LF included.
  package static let longestLine = 65_536

  /// Appends an event as one line; `re` is the `id` of the command that it answers. An `unknown`
  /// one is never written.
  package static func append(_ event: Event, re: RequestID? = nil, to line: inout [UInt8]) {
    switch event {
    case .hello(let hello):
      begin(.hello, re, &line)
      append(hello, to: &line)
    case .didLogin(let name, let token, let place):
      begin(.didLogin, re, &line)
      line.append("name", name)
      line.append("token", token)
      line.append("place", place?.rawValue)
    case .didQueue(let game, let opponent):
      begin(.didQueue, re, &line)
      line.append("game", game)
      line.append("opponent", opponent)
    case .didCancel:
      begin(.didCancel, re, &line)
    case .invited(let from, let game):
      begin(.invited, re, &line)
      line.append("from", from)
      line.append("game", game)
    case .invitationDidEnd(let from, let game):
      begin(.invitationDidEnd, re, &line)
      line.append("from", from)
      line.append("game", game)
    case .match(let event):
      return append(event, re: re, to: &line)
    case .matchSnapshot(let snapshot):
      begin(.matchSnapshot, re, you: snapshot.picture.you, &line)
      append(snapshot, to: &line)
    case .didLeave:
      begin(.didLeave, re, &line)
    case .matches(let list):
      return append(matches: list.items, more: list.more, re: re, to: &line)
    case .players(let list):
      return append(players: list.items, more: list.more, re: re, to: &line)
    case .games(let list):
      return append(games: list.items, more: list.more, re: re, to: &line)
    case .pong:
      begin(.pong, re, &line)
    case .help(let help):
      begin(.help, re, &line)
      line.append("command", help.command)
      line.append("usage", help.usage)
      line.append("example", help.example)
      line.append("about", help.about)
    case .error(let code, let message, let field, let retry):
      begin(.error, re, &line)
      line.append("code", code.rawValue)
      line.append("message", message)
      line.append("field", field)
      line.append("retry", retry)
    case .bye(let code, let message, let retry):
      begin(.bye, re, &line)
      line.append("code", code.rawValue)
      line.append("message", message)
      line.append("retry", retry)
    case .unknown:
      preconditionFailure("an unknown event is only read")
    }
    line.append(json: "}\n")
  }

  /// Appends a copy of a line of this encoder, its LF included, with the fields that are the
  /// receiver's own, which the line must not have yet. An event of a match is encoded once and
  /// copied to all.
  package static func append(
    copyOf line: Span<UInt8>, re: RequestID?, you: Mark? = nil, to output: inout [UInt8]
  ) {
    guard re != nil || you != nil else { return output.append(line) }
    // The value of `type`, which comes first, is plain and ends with the fourth quote.
    var end = 0
    var quotes = 0
    while quotes < 4 {
      if line[end] == UInt8(ascii: "\"") { quotes += 1 }
      end += 1
    }
    output.append(line.extracting(..<end))
    output.append("re", re)
    output.append("you", you)
    output.append(line.extracting(end...))
  }

  static func begin(
    _ type: EventType, _ re: RequestID?, you: Mark? = nil, _ line: inout [UInt8]
  ) {
    line.append(type: type.rawValue)
    line.append("re", re)
    line.append("you", you)
  }

  private static func append(_ hello: Hello, to line: inout [UInt8]) {
    line.append("protocol", hello.protocolVersion)
    line.append("server", hello.server)
    line.append(field: "games")
    line.append(json: "[")
    for (index, game) in hello.games.enumerated() {
      if index > 0 { line.append(json: ",") }
      append(game, to: &line)
    }
    line.append(json: "]")
    line.append(field: "limits")
    append(hello.limits, to: &line)
    line.append("help", hello.help)
  }

  private static func append(_ limits: Limits, to line: inout [UInt8]) {
    line.append(json: "{\"line\":")
    line.append(decimal: limits.line)
    line.append("loginWithin", limits.loginWithin?.milliseconds)
    line.append("resumeWithin", limits.resumeWithin?.milliseconds)
    line.append("idle", limits.idle?.milliseconds)
    line.append("perSecond", limits.perSecond)
    line.append("burst", limits.burst)
    line.append(json: "}")
  }
}
