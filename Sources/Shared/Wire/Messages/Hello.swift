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
