import Shared

/// What whoever runs the server can set. It comes down the tree from the program.
struct ServerSettings: Equatable {
  var limits = ConnectionLimits.standard
  /// How long a session in a match waits for a lost connection; `nil`: not at all.
  var resumeWithin: Duration? = .seconds(60)
  /// How long a server that is about to stop lets its last games go on; `nil`: not at all.
  var drain: Duration? = .seconds(30)
  /// The time for a move; `nil`: for ever.
  var turn: Duration?
  /// `nil`: no limit.
  var maxMatches: Int? = 50_000
  /// Of one match; `nil`: no limit.
  var maxSpectators: Int? = 100

  /// What a client is told of it.
  var announced: Limits {
    Limits(
      line: ProtocolLimits.maxCommandLine, loginWithin: limits.loginWithin,
      resumeWithin: resumeWithin ?? .zero, idle: limits.idle, perSecond: limits.rate?.perSecond,
      burst: limits.rate?.burst)
  }
}
