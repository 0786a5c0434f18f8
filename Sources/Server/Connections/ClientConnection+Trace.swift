import Shared

/// Shows each line in and out at the level `trace`, for who debugs a client. Secrets are left out by
/// field, before there is a line: of what came that is only possible as it was understood, in JSON,
/// and of a line that was not understood only its length is told.
extension ClientConnection {
  func trace(_ request: Request) {
    var line: [UInt8] = []
    CommandEncoder.append(request.command.withoutSecrets, id: request.id, to: &line)
    trace("in", line.span)
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
    EventEncoder.withLine(event.withoutSecrets, re: re) { trace("out", $0) }
  }

  /// What all in a match get holds no secret.
  func trace(_ line: Span<UInt8>, re: RequestID?, you: Mark?) {
    EventEncoder.withCopy(of: line, re: re, you: you) { trace("out", $0) }
  }

  private func trace(_ direction: StaticString, _ line: Span<UInt8>) {
    journal.log.write(
      .trace, direction,
      [
        "connection": .number(id), "session": .text(session?.name.text),
        "line": .words(
          line.withUnsafeBufferPointer { String(decoding: $0.dropLast(), as: UTF8.self) }),
      ])
  }
}
