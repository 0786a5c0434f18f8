/// The first line of every connection.
package struct Hello: Equatable, Sendable {
  /// The version of the protocol that this module speaks.
  package static let currentProtocol = 1

  package let protocolVersion: Int
  /// Name and version of the server.
  package let server: String
  package let games: [GameSummary]
  package let limits: Limits
  /// A sentence for a person.
  package let help: String

  package init(
    protocolVersion: Int = currentProtocol, server: String, games: [GameSummary], limits: Limits,
    help: String
  ) {
    self.protocolVersion = protocolVersion
    self.server = server
    self.games = games
    self.limits = limits
    self.help = help
  }
}

/// The limits of a server, as its `hello` states them. `nil` means no limit, or an older server
/// that does not state it.
package struct Limits: Equatable, Sendable {
  /// Bytes of a line, without its LF.
  package let line: Int
  /// Time from the connection to `didLogin`.
  package let loginWithin: Duration?
  /// How long the server keeps a session whose connection is lost.
  package let resumeWithin: Duration?
  /// How long an invitation stands.
  package let inviteWithin: Duration?
  /// The time for a move between two people.
  package let turn: Duration?
  /// Time without input; a blank line is input.
  package let idle: Duration?
  /// Lines a second, on average. Blank lines do not count.
  package let perSecond: Int?
  /// Lines at once, beyond `perSecond`.
  package let burst: Int?

  package init(
    line: Int, loginWithin: Duration? = nil, resumeWithin: Duration? = nil,
    inviteWithin: Duration? = nil, turn: Duration? = nil, idle: Duration? = nil,
    perSecond: Int? = nil, burst: Int? = nil
  ) {
    self.line = line
    self.loginWithin = loginWithin
    self.resumeWithin = resumeWithin
    self.inviteWithin = inviteWithin
    self.turn = turn
    self.idle = idle
    self.perSecond = perSecond
    self.burst = burst
  }
}
