import Shared

/// The settings of the server, from its command line.
struct ServerSettings: Equatable {
  var limits = ConnectionLimits.standard
  /// How long a lost player may resume a match; `nil` is not at all.
  var resumeWithin: Duration? = .seconds(60)
  /// How long a stopping server waits for its last games; `nil` is not at all.
  var drain: Duration? = .seconds(30)
  /// The time for a move; `nil` is no limit.
  var turn: Duration?
  /// The maximum number of matches; `nil` is no limit.
  var maxMatches: Int? = 50_000
  /// The maximum number of spectators of one match; `nil` is no limit.
  var maxSpectators: Int? = 100

  /// The limits that `hello` announces to clients.
  var announced: Limits {
    Limits(
      line: ProtocolLimits.maxCommandLine, loginWithin: limits.loginWithin,
      resumeWithin: resumeWithin ?? .zero, idle: limits.idle, perSecond: limits.rate?.perSecond,
      burst: limits.rate?.burst)
  }
}
