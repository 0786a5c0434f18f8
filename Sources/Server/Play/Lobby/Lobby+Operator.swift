import Shared

/// What the operator of the server says and forbids.
extension Lobby {
  /// Tells everyone who is logged in, and who logs in later, that the server stops within a time.
  func announceStop(within time: Duration) {
    let announcement = Announcement.stop(at: timers.now + time)
    stop = announcement
    announce(announcement)
  }

  /// Tells everyone who is logged in that the server does not stop.
  func withdrawStop() {
    guard stop != nil else { return }
    stop = nil
    announce(.goesOn)
  }

  /// Tells everyone who is logged in a text of the operator.
  func announce(_ text: String) {
    // With the time that is left, so that nobody believes that the server does not stop.
    announce(Announcement(text: text, end: stop?.end))
  }

  private func announce(_ announcement: Announcement) {
    for session in allSessions { session.write(announcement.event(at: timers.now)) }
  }

  /// How long the server may go on; `nil` if no stop is announced.
  var timeUntilStop: Duration? { stop?.end.map { max(.zero, $0 - timers.now) } }

  /// The text with which everyone is greeted; `nil` for none.
  var greeting: String? {
    guard let text = moderation.motd ?? motd, !text.isEmpty else { return nil }
    return text
  }

  /// Sends the announcement that stands, if there is one, to a session that has just logged in or
  /// resumed.
  func greet(_ session: Session) {
    guard let announcement = stop ?? greeting.map({ Announcement(text: $0, end: nil) }) else {
      return
    }
    session.write(announcement.event(at: timers.now))
  }

  /// - Throws: `badName`.
  func checkIsNotBanned(_ name: PlayerName) throws(CommandError) {
    guard let ban = moderation.ban(of: name) else { return }
    throw CommandError(.badName, field: "name", sentence(for: ban))
  }

  /// Returns what the owner of a banned name is told.
  func sentence(for ban: Term) -> String {
    let time = moderation.timeLeft(of: ban).map { " for \($0.words)" } ?? ""
    return "That name is banned here\(time). Choose another."
  }

  /// Checks that the operator lets a player speak.
  ///
  /// - Throws: `unavailable`.
  func checkMaySpeak(_ session: Session) throws(CommandError) {
    guard let mute = moderation.mute(of: session.name) else { return }
    let left = moderation.timeLeft(of: mute)
    throw CommandError(
      .unavailable,
      "The operator of the server has muted you\(left.map { " for \($0.words)" } ?? "").",
      retry: left)
  }

  /// Returns the last line for a client of a banned address.
  func bye(for ban: Term) -> Event {
    let left = moderation.timeLeft(of: ban)
    let message = left.map { "Your address is banned from this server for \($0.words)." }
    return .bye(.banned, message: message ?? ByeCode.banned.message, retry: left)
  }

  /// Ends a session, as `quit` does. A player who is away learns of it at the next log-in. `retry`
  /// is 0 if the player may come back with another password.
  func kick(_ session: Session, becauseOperatorSays text: String, retry: Duration? = nil) {
    if session.outlet == nil { notices.add(text, for: session.name) }
    kick(session, with: .bye(.kicked, message: text, retry: retry))
  }

  /// Disconnects a registered player in a match, whose seat waits for who knows the password as
  /// after a lost connection. Returns `false` if the player is in no match.
  func vacateSeat(of session: Session, becauseOperatorSays text: String) -> Bool {
    guard case .playing = session.place else { return false }
    session.outlet?.close(with: .bye(.kicked, message: text, retry: .zero))
    if let lost = lostSession(of: session.name) { replaceTokens(of: lost) }
    return true
  }

  /// Sends a session that has just logged in what its player has missed.
  func notify(_ session: Session) {
    guard let text = notices.take(for: session.name) else { return }
    session.write(.announcement(text: text, timeLeft: nil))
  }

  /// Ends a session, as `quit` does, with another `bye`.
  func kick(_ session: Session, with bye: Event) {
    let outlet = session.outlet
    end(session)
    outlet?.session = nil
    outlet?.close(with: bye)
  }
}
