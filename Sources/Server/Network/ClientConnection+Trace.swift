import Shared

/// Shows each line in and out at the level `trace`, for who debugs a client. Secrets are left out by
/// field, before there is a line: of what came that is only possible as it was understood, in JSON,
/// and of a line that was not understood only its length is told.
extension ClientConnection {
  func trace(_ request: Request) {
    var line: [UInt8] = []
    CommandEncoder.append(request.command.withoutSecrets, id: request.id, to: &line)
    trace("in", line)
  }

  func trace(_ error: LineError, in line: Span<UInt8>) {
    journal.log.write(
      .trace, "in",
      [
        "connection": .number(id), "session": .text(session?.name.text),
        "bytes": .number(line.count), "unreadable": .text(error.code.rawValue),
      ])
  }

  func trace(_ event: Event, re: RequestID?) {
    var line: [UInt8] = []
    EventEncoder.append(event.withoutSecrets, re: re, to: &line)
    trace("out", line)
  }

  /// What all in a match get holds no secret.
  func trace(_ line: Span<UInt8>, re: RequestID?, you: Mark?) {
    var copy: [UInt8] = []
    EventEncoder.append(copyOf: line, re: re, you: you, to: &copy)
    trace("out", copy)
  }

  private func trace(_ direction: StaticString, _ line: [UInt8]) {
    journal.log.write(
      .trace, direction,
      [
        "connection": .number(id), "session": .text(session?.name.text),
        "line": .words(String(decoding: line.dropLast(), as: UTF8.self)),
      ])
  }
}
