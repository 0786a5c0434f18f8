/// What the server puts up with. What is `nil` is not limited.
package struct Limits: Equatable, Sendable {
  /// Longest line accepted, in bytes, newline excluded.
  package let line: Int
  /// From the connection to `didLogin`.
  package let loginWithin: Duration?
  /// How long a session in a match waits for a lost connection; `nil`: not at all.
  package let resumeWithin: Duration?
  /// Without input.
  package let idle: Duration?
  /// How many lines a second are carried out, after the first `burst` of them.
  package let perSecond: Int?
  package let burst: Int?

  package init(
    line: Int, loginWithin: Duration? = nil, resumeWithin: Duration? = nil, idle: Duration? = nil,
    perSecond: Int? = nil, burst: Int? = nil
  ) {
    self.line = line
    self.loginWithin = loginWithin
    self.resumeWithin = resumeWithin
    self.idle = idle
    self.perSecond = perSecond
    self.burst = burst
  }
}
