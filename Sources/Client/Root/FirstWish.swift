/// What a command line or a URL wants done right after the login.
enum FirstWish: Equatable {
  case start(against: Opponent)
  /// The id of the match.
  case watch(String)
}
