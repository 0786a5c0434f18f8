import RIBs
import Shared

/// The session on a new connection.
extension RemoteSession {
  /// The notice for people who have lost nothing.
  private static let didRestart = "The server was away."

  func connectionDidEnd() {
    commands.isOnline = false
    hasRepeatedRequest = nil
    invitationList.connectionDidEnd()
    replays.connectionDidEnd()
  }

  /// Continues at another server, without a word. The server repeats all open requests and then
  /// replies to `ping`. What it has not repeated has ended meanwhile.
  func didMove(to place: SessionPlace?) {
    let hasMatch = match.last != nil
    switch place {
    case .waiting, .playing, .watching:
      if hasMatch { match.didReconnect() } else { link.answerRequestsForMatch(with: .pong) }
    case .lobby, nil:
      if let last = match.last?.match, own == nil {
        watchAgain(last, after: .move)
      } else if hasMatch {
        matchDidVanish(after: .move)
      } else if current.value != .lobby {
        current.send(.lobby)
        noticeSource.send("Your request for a game was lost. Ask again.")
        delegate?.gameServiceDidNotStart(.cancelled)
      }
    }
    hasRepeatedRequest = false
    invitationList.willRepeat()
    link.sendAtOnce(.ping) { [weak self] reply in
      if reply != nil { self?.didRepeatAll() }
    }
  }

  private func didRepeatAll() {
    guard let hasRepeatedRequest else { return }
    self.hasRepeatedRequest = nil
    invitationList.didRepeatAll()
    if case .betweenGames(let outcome, true) = current.value, !hasRepeatedRequest {
      current.send(.betweenGames(outcome, hasAsked: false))
    }
    replays.sessionDidMove()
    link.sendWaiting()
  }

  /// Continues on a new connection. The server repeats all open requests. `place` is `nil` if the
  /// old session was over and a new session has begun. With `ofFormer`, a session goes on that was
  /// before the one that was lost, and so does its match.
  func didReturn(to place: SessionPlace?, ofFormer: Bool = false, after absence: Absence) {
    invitationList.removeAll()
    switch place {
    case .waiting:
      // The request was carried out.
      _ = commands.takeLostStart()
      if absence == .restart { notify(Self.didRestart) }
    case .playing, .watching:
      if case .betweenGames(let outcome, true) = current.value {
        current.send(.betweenGames(outcome, hasAsked: false))
      }
      if ofFormer { match.willShowOther() }
      match.didReconnect()
      askAgainBetweenGames()
      if absence == .restart { notify(Self.didRestart) }
    case .lobby, nil:
      didReturnToLobby(asNew: place == nil, after: absence)
    }
  }

  private func didReturnToLobby(asNew isNew: Bool, after absence: Absence) {
    let lostStart = commands.takeLostStart()
    if let last = match.last?.match, own == nil, isNew {
      watchAgain(last, after: absence)
    } else if match.last != nil {
      matchDidVanish(after: isNew && absence == .short ? .forgotten : absence)
      if lostStart != nil { delegate?.gameServiceDidNotStart(.cancelled) }
    } else {
      askAgain(lostStart)
      if absence == .restart { notify(Self.didRestart) }
    }
  }

  /// Makes a request for a game again: one whose reply was lost with the connection, or one that
  /// has waited, because it has ended with the old connection.
  private func askAgain(_ lostStart: Command?) {
    var request = lostStart
    if case .waiting(_, let friend) = current.value {
      request = commands.lastStart
      if friend != nil { notify("Your code has changed. The one before no longer works.") }
    }
    guard let request else { return }
    commands.sendStart(request) { [weak self] in
      if let self, case .waiting = current.value { current.send(.lobby) }
    }
  }

  /// Asks for the next game again, if the request was lost with the connection. A request that was
  /// carried out is repeated by the server before it replies to `ping`.
  private func askAgainBetweenGames() {
    guard commands.lostStart != nil else { return }
    link.sendAtOnce(.ping) { [weak self] reply in
      guard let self, reply != nil else { return }
      let lostStart = commands.takeLostStart()
      if case .betweenGames(_, hasAsked: false) = current.value, let lostStart {
        commands.sendStart(lostStart)
      }
      commands.sendHeldNotices()
    }
  }

  /// The connection is back, and the session goes on as `didReturn` or `didMove` have said.
  func connectionDidReturn() {
    returnSource.send(())
  }

  /// The server does not keep the session of a spectator, so the client asks to watch again.
  /// Another node of a cluster may just be taking over the match.
  private func watchAgain(_ id: String, after absence: Absence, attempts: Int = 15) {
    absenceOfMatch = absence
    match.willWatchAgain()
    link.sendAtOnce(.watch(match: id)) { [weak self] answer in
      guard let self, case .error(let code, _, _, let retry) = answer else { return }
      // A second move may have sent the command twice.
      guard code != .spectator else { return }
      guard code == .unavailable, let retry, attempts > 1 else { return matchDidVanish() }
      link.timers.schedule(after: retry) { [weak self] in
        guard let self, match.last?.match == id, own == nil, commands.isOnline else { return }
        watchAgain(id, after: absence, attempts: attempts - 1)
      }
    }
  }
}
