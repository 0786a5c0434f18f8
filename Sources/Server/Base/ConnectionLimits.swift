import Shared

/// The limits of connections; `nil` means no limit.
struct ConnectionLimits: Equatable {
  /// The defaults, for a server on the open internet, and for a room full of people behind one
  /// address.
  ///
  /// - A bot that waits 1 ms for each reply sends 1,000 lines a second, 1 % of the capacity of one
  ///   core. A test of a whole tournament sends 4,000 lines at once.
  /// - 20,000 connections take about 200 MB, including the system's buffers.
  static let standard = ConnectionLimits(
    loginWithin: .seconds(30), perSecond: 1_000, burst: 4_000, connections: 20_000,
    unsentBytes: 64 << 20, address: .standard)

  /// The time from the connection to the login.
  var loginWithin: Duration?
  /// The time without input. A blank line is input.
  var idle: Duration?
  /// Lines of one connection each second. Used only with `burst`.
  var perSecond: Int?
  /// Lines of one connection at once. Used only with `perSecond`.
  var burst: Int?
  /// A connection counts until its descriptor is closed.
  var connections: Int?
  /// Bytes of output of all connections together that the system has not taken yet.
  var unsentBytes: Int?
  var address = AddressLimits()
  /// The networks of trusted proxies, whose connections begin with a PROXY header.
  var proxies: [IPNetwork] = []

  /// Limits how often one session may chat, to more than people can type or read. `nil` if lines
  /// are not limited.
  var chatRate: TokenBucket? { perSecond == nil ? nil : Self.usualChatRate }

  private static let usualChatRate = TokenBucket(perSecond: 5, burst: 10)

  /// Limits the lines of one connection.
  var rate: TokenBucket? {
    guard let perSecond, let burst else { return nil }
    return TokenBucket(perSecond: perSecond, burst: burst)
  }

  /// Sets the limits of an address. If `linesPerSecond` is `.none`, it follows from `perSecond`.
  mutating func set(_ address: AddressLimits, linesPerSecond: Int??) {
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
