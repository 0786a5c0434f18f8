import Shared

/// A command whose answer has not come. It holds its connection, until the answer comes or the
/// connection ends: a weak reference would slow down every retain and release of the connection.
final class PendingAnswer {
  fileprivate(set) var connection: ClientConnection?
  fileprivate var reply: ReplyHeader
  /// Whether the answer did not come at once.
  fileprivate var isLate = false

  fileprivate init(_ connection: ClientConnection, _ reply: ReplyHeader) {
    self.connection = connection
    self.reply = reply
  }

  /// Lets the next line to the client be the reply to the command, before its answer has come.
  func letNextLineReply() {
    connection?.outlet.reply = reply
    reply = ReplyHeader()
  }

  /// Drops the answer, if it still comes.
  func connectionDidEnd() { connection = nil }
}

extension ClientConnection {
  /// Lets `ask` begin something whose answer may come later, on this thread. Until then the
  /// connection's other commands wait. `finish` gets the answer, unless the connection has ended
  /// before, and carries out the rest of the command.
  func wait<Answer>(
    for ask: (PendingAnswer, @escaping (Answer) -> Void) throws(CommandError) -> Void,
    then finish: @escaping (Answer) throws(CommandError) -> Void
  ) throws(CommandError) {
    let pending = PendingAnswer(self, outlet.reply)
    state = .waiting(pending)
    do throws(CommandError) {
      try ask(pending) { answer in
        pending.connection?.finish(pending) { () throws(CommandError) in try finish(answer) }
      }
    } catch {
      pending.connection = nil
      state = .open
      throw error
    }
    pending.isLate = true
    guard case .waiting = state else { return }
    connection.isReading = false
    serverLog.metrics?.replies.didPostpone()
  }

  /// Carries out the rest of a command whose answer has come.
  private func finish(
    _ pending: PendingAnswer, _ rest: () throws(CommandError) -> Void
  ) {
    pending.connection = nil
    state = .open
    guard pending.isLate else { return carryOut(rest) }
    serverLog.metrics?.replies.didAnswer(after: timers.now - lastInput)
    outlet.reply = pending.reply
    carryOut(rest)
    outlet.reply = ReplyHeader()
    if case .open = state { readOn() }
  }
}
