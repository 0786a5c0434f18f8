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
      line.append(json: "}\n")
    case .didLogin(let name, let token, let place):
      append(.didLogin, re, room: room(name) + room(token), to: &line) { line in
        line.append("name", name)
        line.append("token", token)
        line.append("place", place?.rawValue)
      }
    case .didQueue(let game, let opponent):
      append(.didQueue, re, room: room(game) + room(opponent), to: &line) { line in
        line.append("game", game)
        line.append("opponent", opponent)
      }
    case .didCancel:
      append(.didCancel, re, to: &line)
    case .invited(let from, let game):
      append(.invited, re, room: room(from) + room(game), to: &line) { line in
        line.append("from", from)
        line.append("game", game)
      }
    case .invitationDidEnd(let from, let game):
      append(.invitationDidEnd, re, room: room(from) + room(game), to: &line) { line in
        line.append("from", from)
        line.append("game", game)
      }
    case .match(let event):
      append(event, re: re, to: &line)
    case .matchSnapshot(let snapshot):
      append(snapshot, re: re, to: &line)
    case .didLeave:
      append(.didLeave, re, to: &line)
    case .matches(let list):
      append(matches: list.items, more: list.more, re: re, to: &line)
    case .players(let list):
      append(players: list.items, more: list.more, re: re, to: &line)
    case .games(let list):
      append(games: list.items, more: list.more, re: re, to: &line)
    case .pong:
      append(.pong, re, to: &line)
    case .help(let help):
      begin(.help, re, &line)
      line.append("command", help.command)
      line.append("usage", help.usage)
      line.append("example", help.example)
      line.append("about", help.about)
      line.append(json: "}\n")
    case .error(let code, let message, let field, let retry):
      append(.error, re, room: room(message) + room(field), to: &line) { line in
        line.append("code", code.rawValue)
        line.append("message", message)
        line.append("field", field)
        line.append("retry", retry)
      }
    case .bye(let code, let message, let retry):
      append(.bye, re, room: room(message), to: &line) { line in
        line.append("code", code.rawValue)
        line.append("message", message)
        line.append("retry", retry)
      }
    case .unknown:
      preconditionFailure("an unknown event is only read")
    }
  }

  /// Appends an event as one line, at once: `fields` appends what follows the type. `room` is bytes
  /// enough for its texts that are not known here; a few names and numbers fit in any case.
  @inline(__always)
  static func append(
    _ type: EventType, _ re: RequestID?, you: Mark? = nil, room: Int = 0, to line: inout [UInt8],
    _ fields: (inout OutputSpan<UInt8>) -> Void = { _ in }
  ) {
    let reply = if case .text(let text) = re { OutputSpan.room(of: text) } else { 0 }
    line.append(addingCapacity: 256 + reply + room) { output in
      output.append(type: type.rawValue)
      output.append("re", re)
      output.append("you", you)
      fields(&output)
      output.append(json: "}\n")
    }
  }

  /// Bytes enough for a text, where there is one.
  static func room(_ text: String?) -> Int { text.map(OutputSpan.room(of:)) ?? 0 }

  /// Appends a copy of a line of this encoder, its LF included, with the fields that are the
  /// receiver's own, which the line must not have yet. An event of a match is encoded once and
  /// copied to all.
  package static func append(
    copyOf line: Span<UInt8>, re: RequestID?, you: Mark? = nil, to output: inout [UInt8]
  ) {
    guard re != nil || you != nil else { return output.append(line) }
    // The value of `type`, which comes first, is plain and ends with the next quote.
    var end = "{\"type\":\"".utf8.count
    while line[end] != UInt8(ascii: "\"") { end += 1 }
    end += 1
    let reply = if case .text(let text) = re { OutputSpan.room(of: text) } else { 0 }
    output.append(addingCapacity: line.count + 48 + reply) { output in
      line.withUnsafeBufferPointer { line in
        output.append(copyOf: UnsafeBufferPointer(rebasing: line[..<end]))
        output.append("re", re)
        output.append("you", you)
        output.append(copyOf: UnsafeBufferPointer(rebasing: line[end...]))
      }
    }
  }

  /// Begins a line that is appended piece by piece, for nobody knows beforehand how long it gets.
  static func begin(_ type: EventType, _ re: RequestID?, _ line: inout [UInt8]) {
    line.append(type: type.rawValue)
    line.append("re", re)
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
