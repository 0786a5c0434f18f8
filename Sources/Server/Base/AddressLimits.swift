import Shared

/// The limits of one address; `nil` means no limit. An address is an IPv4 address or the /64 of an
/// IPv6 address. For all addresses of an IPv6 /48 together, each limit is `siteFactor` times as
/// high.
struct AddressLimits: Equatable {
  /// Enough for a room full of people behind one address. With the other standard limits, 20
  /// addresses can use up the server's connections, 50 its matches, and 8 its unsent output.
  static let standard = AddressLimits(
    connections: 1_000, matches: 1_000, unsentBytes: 8 << 20, linesPerSecond: 20_000,
    loginsPerSecond: 100, processorPercent: 25, unknownCodesPerMinute: 10)

  /// A household or a company often has a whole /48 (RFC 6177).
  static let siteFactor = 4
  /// The default of `linesPerSecond` is this many times `ConnectionLimits.perSecond`.
  static let lineFactor = 20
  /// The number of seconds' worth of lines, and of logins, that may arrive at once.
  static let lineBurst = 4
  static let loginBurst = 20
  /// The processor time that an address may use at once, and therefore the most that it can add to
  /// one turn.
  static let processorBurst: Duration = .milliseconds(10)
  /// The maximum number of rejected connections that are still closing. Further ones are reset.
  static let maxRejected = 16

  /// A connection counts until its descriptor is closed.
  var connections: Int?
  /// Sessions that play or wait for an opponent, including those whose connection is lost.
  var matches: Int?
  /// Bytes of output that the system has not taken yet.
  var unsentBytes: Int?
  /// An expensive line counts as several; see `Command.cost`.
  var linesPerSecond: Int?
  /// `login` and `resume` lines.
  var loginsPerSecond: Int?
  /// The share of one processor for this address's lines, in percent. Beyond it lines wait.
  var processorPercent: Int?
  /// `join` lines with an unknown code. A limit keeps codes from being guessed.
  var unknownCodesPerMinute: Int?

  /// These limits, or none at all if `connections` is `nil`.
  var effective: AddressLimits { connections == nil ? AddressLimits() : self }

  var lineBucket: TokenBucket? {
    linesPerSecond.map { TokenBucket(perSecond: $0, burst: $0 * Self.lineBurst) }
  }

  var loginBucket: TokenBucket? {
    loginsPerSecond.map { TokenBucket(perSecond: $0, burst: $0 * Self.loginBurst) }
  }

  /// The limits of all addresses of an IPv6 /48 together.
  var siteLimits: AddressLimits {
    AddressLimits(
      connections: connections.map { $0 * Self.siteFactor },
      matches: matches.map { $0 * Self.siteFactor },
      unsentBytes: unsentBytes.map { $0 * Self.siteFactor },
      linesPerSecond: linesPerSecond.map { $0 * Self.siteFactor },
      loginsPerSecond: loginsPerSecond.map { $0 * Self.siteFactor },
      processorPercent: processorPercent.map { $0 * Self.siteFactor },
      unknownCodesPerMinute: unknownCodesPerMinute.map { $0 * Self.siteFactor })
  }
}

extension Command {
  /// The number of lines that the command counts as in the rate of its address: about its cost in
  /// moves.
  var cost: Int {
    switch self {
    case .replay: 50
    case .list, .history, .leaderboard: 10
    case .help, .watch, .sync, .login, .resume, .register, .unregister: 5
    case .start, .open, .join, .decline, .say: 2
    case .cancel, .place, .resign, .leave, .board, .ping, .quit: 1
    }
  }
}
