import Shared

/// What the server puts up with from those who connect; `nil` is no limit.
struct ConnectionLimits: Equatable {
  /// For a server on the open internet, and for a room full of people behind one address.
  ///
  /// - 1,000 lines a second are what a bot sends that waits for each answer over 1 ms, and a hundredth
  ///   of what one core carries out; 4,000 at once are a whole tournament of somebody's test.
  /// - 20,000 connections take some 200 MB with all that the system keeps for them.
  /// - 1,000 from one address are a school or an office; a single host cannot fill the server.
  static let standard = ConnectionLimits(
    loginWithin: .seconds(30), perSecond: 1_000, burst: 4_000, connections: 20_000,
    perAddress: 1_000)

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

  /// How often one session may `say` something: more than anybody types or reads. Where lines are not
  /// limited, it is not either.
  var chatRate: LineRate? { perSecond == nil ? nil : Self.usualChatRate }

  private static let usualChatRate = LineRate(perSecond: 5, burst: 10)

  /// The rate at which one connection's lines are accepted.
  var rate: LineRate? {
    guard let perSecond, let burst else { return nil }
    return LineRate(perSecond: perSecond, burst: burst)
  }
}
