import Shared

/// The settings of the server, from its command line.
struct ServerSettings: Equatable {
  var limits = ConnectionLimits.standard
  /// How long a lost player may resume a match; `nil` means not at all.
  var resumeWithin: Duration? = .seconds(60)
  /// How long a stopping server waits for its last games; `nil` means not at all.
  var drain: Duration? = .seconds(30)
  /// The time for a move between two people; `nil` means no limit.
  var turn: Duration? = .seconds(300)
  /// How long an invitation stands; `nil` means no limit.
  var inviteWithin: Duration? = .seconds(120)
  /// The announcement to everyone who logs in: up to `Announcement.maxLength` characters; `nil` for
  /// none.
  var motd: String?
  /// The maximum number of matches; `nil` means no limit.
  var maxMatches: Int? = 50_000
  /// The maximum number of spectators of one match; `nil` means no limit.
  var maxSpectators: Int? = 100

  /// The limits that `hello` announces to clients.
  var announced: Limits {
    Limits(
      line: ProtocolLimits.maxCommandLine, loginWithin: limits.loginWithin,
      resumeWithin: resumeWithin ?? .zero, inviteWithin: inviteWithin, turn: turn,
      idle: limits.idle, perSecond: limits.rate?.perSecond,
      burst: limits.rate?.burst)
  }
}
