import Shared

/// Where a command has to be carried out.
enum Route {
  /// At this server.
  case here
  /// At another server. A `player` is the key of somebody whom it concerns, and who is in the lobby
  /// there.
  case elsewhere(Life, address: String, player: ExactText? = nil)
  case refused(CommandError)
}

/// What a session brings along that has just come from another server.
enum Arrival {
  case nothing
  case command(Command)
  /// It was on its way to a third server, where it has not arrived. Its command is refused.
  case refused(CommandError)
}

/// What has become of a session that was to go to another server.
enum Departure {
  /// It is on its way.
  case left
  /// It stays, because the player whom it follows has left that server.
  case playerHasGone
  case refused(CommandError)
}

/// The player of a session that comes from another server.
struct ArrivingPlayer {
  /// The id of the session.
  let id: String
  let name: String
  /// The hashes of the tokens that are good.
  let tokens: [String]
}
