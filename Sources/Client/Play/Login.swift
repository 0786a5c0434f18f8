import Shared

/// What a server says to one who has logged in.
struct Login: Equatable {
  let name: String
  /// With it the session can be taken up on another connection, once.
  let token: String?
  /// Where the session that was taken up is; `nil` for a new one.
  let place: SessionPlace?
}

/// Why somebody is not logged in.
enum LoginFailure: Error, Equatable {
  case link(LinkFailure)
  /// With the server's sentence.
  case refused(ErrorCode, String)
}
