import Shared

/// The end of a connection, and the time-outs that lead to it.
extension ClientConnection: ClientReader {
  private var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  /// Writes `bye` and closes. Unsent bytes are still sent, if the client reads them.
  @inline(never)
  func close(with bye: Event) {
    hangUp(with: bye)
    endSession()
  }

  /// The first half of `close`: writes `bye`, and nothing after it.
  func hangUp(with bye: Event) {
    guard !isClosed else { return }
    outlet.write(bye)
    guard case .bye(let code, _, _, _) = bye else { return hangUp(because: "closed") }
    hangUp(because: code.rawValue)
  }

  /// Closes without `bye`. Queued lines are still sent.
  func hangUp(because reason: @autoclosure () -> String) {
    guard !isClosed else { return }
    didHangUp(because: reason())
    connection.close()
  }

  /// The second half of `close`: informs the lobby and the registry that the connection has ended.
  func endSession() {
    if let session = outlet.session {
      outlet.session = nil
      lobby.connectionDidEnd(of: session)
    }
    registry?.remove(self)
  }

  /// Resets the connection without `bye`, which would only queue after unread bytes.
  func reset() {
    guard !isClosed else { return }
    serverLog.counters.goodbyes[.tooSlow, default: 0] += 1
    didHangUp(because: ByeCode.tooSlow.rawValue)
    connection.reset()
    endSession()
  }

  private func didHangUp(because reason: @autoclosure () -> String) {
    if outlet.isLogged {
      serverLog.log.write(
        .info, "disconnected",
        [
          "connection": .number(outlet.id), "session": .text(outlet.session?.name.text),
          "reason": .text(reason()),
        ])
    }
    switch state {
    case .paused(let timer): timer.cancel()
    case .waiting(let pending): pending.connectionDidEnd()
    case .open, .closed: break
    }
    state = .closed
    timeoutTimer?.cancel()
  }

  /// Sets the session, and stops the timer unless idle clients are disconnected.
  func didLogIn(as session: Session) {
    outlet.session = session
    if onlyResumes { registry?.removeGuest(self) }
    timeouts.didLogIn()
    guard timeouts.deadline == nil else { return }
    timeoutTimer?.cancel()
    timeoutTimer = nil
  }

  func follow(_ request: PendingRequest, by route: Route) {
    guard case .open = state, outlet.session?.request === request else { return }
    carryOut { () throws(CommandError) in try commands.follow(request, by: route) }
  }

  func scheduleTimeout() {
    guard let deadline = timeouts.deadline else { return }
    timeoutTimer = timers.schedule(after: deadline - timers.now) { [unowned self] in
      checkTimeouts()
    }
  }

  private func checkTimeouts() {
    // While commands wait, nothing is read, so the client does not count as idle.
    switch state {
    case .paused, .waiting: timeouts.lastInput = timers.now
    case .open, .closed: break
    }
    if let code = timeouts.expired(at: timers.now) {
      if onlyResumes, let registry { return registry.rejectNewcomer(self) }
      close(with: .bye(code, retry: .zero))
    } else {
      scheduleTimeout()
    }
  }
}
