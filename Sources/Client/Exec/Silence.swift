/// How long nothing has come from the server.
struct Silence {
  /// The longest time without a line of the server. After it, the client sends `ping`, and after
  /// the same time without a reply the connection counts as lost.
  static let maxTime: Duration = .seconds(5)

  /// When the last line came, or could have.
  private var start: Duration = .zero

  mutating func end(at now: Duration) { start = now }

  /// Returns whether a `ping` is due, and the time until the next check; `nil` if the connection is
  /// lost. A connection that is not read cannot tell, and nor can one that owes no reply.
  mutating func check(
    at now: Duration, isRead: Bool, awaitsReply: Bool
  ) -> (wantsPing: Bool, next: Duration)? {
    if !isRead { start = now }
    if now - start >= Self.maxTime * 2 {
      guard !awaitsReply else { return nil }
      start = now
    }
    let time = now - start
    return time < Self.maxTime ? (false, Self.maxTime - time) : (true, Self.maxTime * 2 - time)
  }
}
