import Shared

/// What one address may hold and do; `nil` is no limit. An address is an IPv4 address or the /64 of
/// an IPv6 address. All addresses of one IPv6 /48 together may have `widerFactor` times as much.
struct AddressLimits: Equatable {
  /// For a room full of people behind one address. With the other standard limits, 20 addresses can
  /// use up the server's connections, 50 its matches, and 8 its room for unsent output.
  static let standard = AddressLimits(
    connections: 1_000, matches: 1_000, unsentBytes: 8 << 20, linesPerSecond: 20_000,
    loginsPerSecond: 100, processorPercent: 25)

  /// What a household or a company gets is often a whole /48 (RFC 6177).
  static let widerFactor = 4
  /// How many times `ConnectionLimits.perSecond` an address may send unless that is set.
  static let lineFactor = 20
  /// How many seconds' worth of lines, and of logins, may come at once.
  static let lineBurst = 4
  static let loginBurst = 20
  /// How much of its share of the processor an address may use at once: what it adds to one turn.
  static let processorBurst: Duration = .milliseconds(10)
  /// Connections that are turned away and wait for their end; further ones are reset.
  static let rejected = 16

  /// Each counts until its descriptor is closed.
  var connections: Int?
  /// Sessions that play or wait for an opponent, those whose connection is lost included.
  var matches: Int?
  /// Output that the system has not taken yet.
  var unsentBytes: Int?
  /// A dear line counts as several; see `Command.cost`.
  var linesPerSecond: Int?
  /// `login` and `resume` lines.
  var loginsPerSecond: Int?
  /// Of one processor, to carry out lines. Above it, lines wait.
  var processorPercent: Int?

  var lineBucket: TokenBucket? {
    linesPerSecond.map { TokenBucket(perSecond: $0, burst: $0 * Self.lineBurst) }
  }

  var loginBucket: TokenBucket? {
    loginsPerSecond.map { TokenBucket(perSecond: $0, burst: $0 * Self.loginBurst) }
  }

  /// What all addresses of an IPv6 /48 may have together.
  var wider: AddressLimits {
    AddressLimits(
      connections: connections.map { $0 * Self.widerFactor },
      matches: matches.map { $0 * Self.widerFactor },
      unsentBytes: unsentBytes.map { $0 * Self.widerFactor },
      linesPerSecond: linesPerSecond.map { $0 * Self.widerFactor },
      loginsPerSecond: loginsPerSecond.map { $0 * Self.widerFactor },
      processorPercent: processorPercent.map { $0 * Self.widerFactor })
  }
}

extension Command {
  /// How many lines it counts as to the rate of its address: about as many as it costs moves.
  var cost: Int {
    switch self {
    case .list: 10
    case .help, .watch, .sync, .login, .resume: 5
    case .start, .say: 2
    case .cancel, .place, .resign, .leave, .ping, .quit: 1
    }
  }
}
