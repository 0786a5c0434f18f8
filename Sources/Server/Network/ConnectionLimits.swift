import Shared

/// What the server puts up with from those who connect; `nil` is no limit.
struct ConnectionLimits: Equatable {
  /// For a server on the open internet, and for a room full of people behind one address.
  ///
  /// - 50 lines a second are more than a person types and than a bot needs that waits for each
  ///   answer over 20 ms; 200 at once are a program that asks for everything when it starts.
  /// - 10,000 connections take some 100 MB with all that the system keeps for them.
  /// - 200 from one address are a large classroom; a single host cannot fill the server.
  static let standard = ConnectionLimits(
    loginWithin: .seconds(30), perSecond: 50, burst: 200, connections: 10_000, perAddress: 200)

  /// From the connection to the login.
  var loginWithin: Duration?
  /// Without input; a blank line is input.
  var idle: Duration?
  /// Lines of one connection in the long run; without a `burst` it means nothing.
  var perSecond: Int?
  /// Lines of one connection at once; without a `perSecond` it means nothing.
  var burst: Int?
  var connections: Int?
  /// Connections from one IPv4 address, or from one /64 of IPv6.
  var perAddress: Int?
  /// Who says, in the PROXY protocol, for whom it connects.
  var proxies: [IPNetwork] = []

  /// The rate at which one connection's lines are accepted.
  var rate: LineRate? {
    guard let perSecond, let burst else { return nil }
    return LineRate(perSecond: perSecond, burst: burst)
  }

  /// What a client is told of it.
  var announced: Limits {
    Limits(
      line: ClientConnection.longestLine, loginWithin: loginWithin, idle: idle,
      perSecond: rate?.perSecond, burst: rate?.burst)
  }
}
