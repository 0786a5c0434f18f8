import Shared

/// Logs the lines of one connection at the level `trace`. Secrets are redacted field by field
/// before a line is written. For a line that could not be decoded only its length is logged,
/// because it may contain a secret.
struct ConnectionTrace {
  let log: Log
  let connection: Int
  /// The name of its session; `nil` before the login.
  let session: String?

  func received(_ request: Request) {
    var line: [UInt8] = []
    CommandEncoder.append(request.command.redacted, id: request.id, to: &line)
    write("in", line.span)
  }

  func received(_ error: LineError, in line: Span<UInt8>) {
    log.write(
      .trace, "in",
      [
        "connection": .number(connection), "session": .text(session), "bytes": .number(line.count),
        "unreadable": .text(error.code.rawValue),
      ])
  }

  func sent(_ event: Event, re: RequestID?) {
    EventEncoder.withLine(event.redacted, re: re) { write("out", $0) }
  }

  /// Logs a line that everyone in a match gets. It contains no secret.
  func sent(_ line: Span<UInt8>, re: RequestID?, you: Mark?) {
    EventEncoder.withCopy(of: line, re: re, you: you) { write("out", $0) }
  }

  private func write(_ direction: StaticString, _ line: Span<UInt8>) {
    log.write(
      .trace, direction,
      [
        "connection": .number(connection), "session": .text(session),
        "line": .words(
          line.withUnsafeBufferPointer { String(decoding: $0.dropLast(), as: UTF8.self) }),
      ])
  }
}

/// The text that replaces a secret in a trace.
private let redaction = "***"

extension Command {
  /// The command without its password, token or code.
  var redacted: Command {
    switch self {
    case .login(let name, let password):
      .login(name: name, password: password.map { _ in redaction })
    case .register(_, let old):
      .register(password: redaction, old: old.map { _ in redaction })
    case .unregister: .unregister(password: redaction)
    case .resume(_, let seq): .resume(token: redaction, seq: seq)
    case .join: .join(code: redaction)
    case .start, .open, .cancel, .decline, .place, .resign, .leave, .say, .watch, .list, .history,
      .leaderboard, .replay, .sync, .board, .ping, .help, .quit:
      self
    }
  }
}

extension Event {
  /// The event without its token or code, and without words of a line that cannot be decoded.
  var redacted: Event {
    switch self {
    case .didLogin(let name, let token, let place, let registered):
      .didLogin(
        name: name, token: token.map { _ in redaction }, place: place, registered: registered)
    case .didQueue(let game, let opponent, let code, let expires):
      .didQueue(
        game: game, opponent: opponent, code: code.map { _ in redaction }, expires: expires)
    case .error(let code, _, let field, let retry)
    where code == .unknownType || code == .badField
      || code == .missingField:
      .error(code, message: code.message, field: field, retry: retry)
    case .hello, .didRegister, .didUnregister, .didCancel, .invited, .invitationDidEnd,
      .announcement, .match, .spectatorsDidChange, .matchSnapshot, .didLeave, .matches, .players,
      .games, .history, .leaderboard, .replayDidStart, .replayDidEnd, .pong, .help, .error, .bye,
      .unknown:
      self
    }
  }
}
