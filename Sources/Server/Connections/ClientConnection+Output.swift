import Shared

/// The lines that a connection writes, and the limits on those that its client has not read.
extension ClientConnection {
  @inline(never)
  func write(_ event: Event) {
    if case .error(let code, _, _, _) = event { serverLog.counters.refused[code, default: 0] += 1 }
    if case .bye(let code, _, _, _) = event { serverLog.counters.goodbyes[code, default: 0] += 1 }
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(event, re: reply?.id) }
    guard let hint = reply?.hint else {
      return EventEncoder.withLine(event, re: reply?.id) { send($0) }
    }
    EventEncoder.withLine(event) { line in
      EventEncoder.withCopy(of: line, re: reply?.id, hint: hint) { send($0) }
    }
  }

  /// Writes the reply to `board`.
  @inline(never)
  func write(_ board: Board, of match: String) {
    let reply = takeReply()
    EventEncoder.withLine(board: board, match: match, re: reply?.id) { line in
      if serverLog.log.shows(.trace) { trace.sent(line, re: nil, you: nil) }
      send(line)
    }
  }

  /// Writes this client's copy of a line that everyone in a match gets.
  func write(line: Span<UInt8>, you: Mark?) {
    if reply == nil, you == nil, !serverLog.log.shows(.trace) {
      send(line)
    } else {
      write(copyOf: line, you: you)
    }
  }

  @inline(never)
  private func write(copyOf line: Span<UInt8>, you: Mark?) {
    let reply = takeReply()
    if serverLog.log.shows(.trace) { trace.sent(line, re: reply?.id, you: you) }
    EventEncoder.withCopy(of: line, re: reply?.id, hint: reply?.hint, you: you) { send($0) }
  }

  private func takeReply() -> ReplyHeader? {
    guard reply != nil else { return nil }
    defer { reply = nil }
    return reply
  }

  var trace: ConnectionTrace {
    ConnectionTrace(log: serverLog.log, connection: id, session: session?.name.text)
  }

  @inline(__always)
  private func send(_ line: Span<UInt8>) {
    serverLog.counters.bytesOut += line.count
    unsent = connection.send(line)
    if unsent > Self.spectatorLimit { checkHardLimit() }
  }

  @inline(never)
  private func checkHardLimit() {
    if unsent > Self.hardLimit { return resetSoon() }
    if case .watching = session?.place { resetSoon() }
  }

  /// Tries to send the unsent bytes.
  ///
  /// - Returns: whether more than `limit` bytes are still unsent.
  func isBehind(_ limit: Int = softLimit) -> Bool {
    guard connection.unsent > limit else { return false }
    connection.flush()
    return connection.unsent > limit
  }

  /// Reports the unsent bytes at the end of a turn to the registry.
  func countUnsent() {
    let unsent = connection.unsent
    guard registry?.setUnsent(unsent, of: account) == true, unsent > Self.chatLimit else { return }
    resetSoon()
  }

  /// Resets later in this turn: the line that overflows may be an event of a match that is still
  /// being sent to others.
  private func resetSoon() {
    guard !isTooSlow else { return }
    isTooSlow = true
    timers.schedule(after: .zero) { self.reset() }
  }
}
