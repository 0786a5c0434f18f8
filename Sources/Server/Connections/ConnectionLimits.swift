import Shared

/// What the server puts up with from those who connect; `nil` is no limit.
struct ConnectionLimits: Equatable {
  /// For a server on the open internet, and for a room full of people behind one address.
  ///
  /// - 1,000 lines a second are what a bot sends that waits for each answer over 1 ms, and a hundredth
  ///   of what one core carries out; 4,000 at once are a whole tournament of somebody's test.
  /// - 20,000 connections take some 200 MB with all that the system keeps for them.
  static let standard = ConnectionLimits(
    loginWithin: .seconds(30), perSecond: 1_000, burst: 4_000, connections: 20_000,
    unsentBytes: 64 << 20, address: .standard)

  /// From the connection to the login.
  var loginWithin: Duration?
  /// Without input; a blank line is input.
  var idle: Duration?
  /// Lines of one connection in the long run; without a `burst` it means nothing.
  var perSecond: Int?
  /// Lines of one connection at once; without a `perSecond` it means nothing.
  var burst: Int?
  /// Each counts until its descriptor is closed.
  var connections: Int?
  /// Output of all connections together that the system has not taken yet.
  var unsentBytes: Int?
  var address = AddressLimits()
  /// Who says, in the PROXY protocol, for whom it connects.
  var proxies: [IPNetwork] = []

  /// How often one session may `say` something: more than anybody types or reads. Where lines are not
  /// limited, it is not either.
  var chatRate: TokenBucket? { perSecond == nil ? nil : Self.usualChatRate }

  private static let usualChatRate = TokenBucket(perSecond: 5, burst: 10)

  /// The rate at which one connection's lines are accepted.
  var rate: TokenBucket? {
    guard let perSecond, let burst else { return nil }
    return TokenBucket(perSecond: perSecond, burst: burst)
  }

  /// Takes the limits of an address. `linesPerSecond` is `.none` where nobody said, and then follows
  /// from `perSecond`.
  mutating func take(_ address: AddressLimits, linesPerSecond: Int??) {
    self.address = address
    self.address.linesPerSecond =
      linesPerSecond ?? perSecond.map { $0 * AddressLimits.lineFactor }
    if perSecond == nil {
      self.address.linesPerSecond = nil
      self.address.loginsPerSecond = nil
    }
    if address.connections == nil { self.address = AddressLimits() }
  }
}
