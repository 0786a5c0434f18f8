/// What whoever runs the server can set. It comes down the tree from the program.
struct ServerSettings: Equatable {
  /// How long a session in a match waits for a lost connection; `nil`: not at all.
  var resumeWithin: Duration? = .seconds(60)
  /// The time for a move; `nil`: for ever.
  var turn: Duration?
  /// `nil`: no limit.
  var maxMatches: Int? = 50_000
  /// Of one match; `nil`: no limit.
  var maxSpectators: Int? = 100
}
