import Shared

/// Accounts, and what is read from the directory.
extension ClientCommands {
  /// - Throws: `unavailable`, `full`, `notLoggedIn`, `badName`, `wrongPassword` or `tooFast`.
  func register(password: String, old: String?) throws(CommandError) {
    try checkKeepsAccounts()
    guard directory.hasRoom else { throw .noRoom }
    let session = try loggedIn()
    try client.wait {
      (pending, answer: @escaping CommandAnswer<Void>) throws(CommandError)
      in
      try directory.register(
        session.name, password: password, old: old, from: outlet.usage,
        isCurrent: { pending.connection?.outlet.session === session }, answer: answer)
    } then: { result throws(CommandError) in
      try result.get()
      session.hasNewPassword = false
      client.serverLog.accountDidChange("registered", session)
      outlet.write(.didRegister(name: session.name.text))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn`, `wrongPassword` or `tooFast`.
  func unregister(password: String) throws(CommandError) {
    try checkKeepsAccounts()
    let session = try loggedIn()
    try client.wait {
      (pending, answer: @escaping CommandAnswer<Void>) throws(CommandError)
      in
      try directory.unregister(
        session.name, password: password, from: outlet.usage,
        isCurrent: { pending.connection?.outlet.session === session },
        willRemove: { if case .playing(let match) = session.place { match.accountWillEnd() } },
        answer: answer)
    } then: { result throws(CommandError) in
      try result.get()
      client.serverLog.accountDidChange("unregistered", session)
      outlet.write(.didUnregister(name: session.name.text))
    }
  }

  /// - Throws: `unavailable` or `notLoggedIn`.
  func readHistory(of player: String?, before: Int?) throws(CommandError) {
    try checkKeepsAccounts()
    _ = try loggedIn()
    try client.wait { _, answer in
      directory.history(of: player, before: before, for: outlet.usage, answer: answer)
    } then: { (result: Result<HistoryPage, CommandError>) throws(CommandError) in
      outlet.write(.history(try result.get()))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn` or `unknownGame`.
  func readLeaderboard(of id: String?) throws(CommandError) {
    try checkKeepsAccounts()
    _ = try loggedIn()
    let game = try lobby.game(id).info.id
    try client.wait { _, answer in
      directory.leaderboard(of: game, for: outlet.usage, answer: answer)
    } then: { (result: Result<Leaderboard, CommandError>) throws(CommandError) in
      outlet.write(.leaderboard(try result.get()))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn`, the code of the session's place, or `unknownMatch`.
  func replay(_ match: String, after seq: Int?) throws(CommandError) {
    try checkKeepsAccounts()
    try checkIsInLobby(try loggedIn())
    try client.wait { _, answer in
      directory.replay(of: match, after: seq ?? 0, for: outlet.usage, answer: answer)
    } then: { (result: Result<StoredReplay, CommandError>) throws(CommandError) in
      let replay = try result.get()
      outlet.write(.replayDidStart(replay.header))
      let lines = replay.lines.span
      var start = 0
      for index in lines.indices where lines[index] == UInt8(ascii: "\n") {
        outlet.write(line: lines.extracting(start..<index + 1), you: nil)
        start = index + 1
      }
      outlet.write(.replayDidEnd(match: match, next: replay.next))
    }
  }

  private func checkKeepsAccounts() throws(CommandError) {
    guard directory.keepsAccounts else { throw CommandError(.unavailable) }
  }
}

extension ServerLog {
  fileprivate func accountDidChange(_ event: StaticString, _ session: Session) {
    if session.isLogged { log.write(.info, event, ["session": .text(session.name.text)]) }
  }
}
