import Shared

extension RemoteSession {
  /// How a connection was lost: for a shorter or a longer time than the server keeps a session,
  /// together with the server, or because the session has moved to another one.
  enum Absence {
    case short, tooLong
    case restart, move
    /// The server does not know the session: its match may have ended, or its data may be others.
    case forgotten
    /// The session goes on over another connection, which somebody has made.
    case elsewhere
    /// The session may go on, but the client could not come back to it.
    case unknown

    /// What is said about a match that is lost, with a player of this name.
    func sentence(aboutMatchWith name: String) -> String {
      switch self {
      case .forgotten: "Your match with \(name) is over: the server does not have it any more."
      case .move: "Your match with \(name) is over."
      case .elsewhere: "Your match with \(name) goes on there."
      case .short: "Your match with \(name) is over: it ended while the connection was lost."
      case .tooLong: "Your match with \(name) is over: you were away for too long."
      case .restart: "The server was away; your match with \(name) is lost."
      case .unknown:
        "Your match with \(name) may still go on. To come back to it, log in again under your name."
      }
    }

    var sentenceAboutWatchedMatch: String {
      switch self {
      case .restart: "The server was away; the match that you watched is lost."
      case .unknown, .elsewhere: "The match that you watched may still go on."
      case .short, .tooLong, .move, .forgotten: "The match that you watched is over."
      }
    }
  }
}

extension CancelReason {
  /// A sentence for the player whose invitation has ended.
  func sentence(about opponent: String) -> String {
    switch self {
    case .declined: "\(opponent) has declined."
    case .expired: "\(opponent) has not answered, so the invitation has ended."
    case .left: "\(opponent) has gone."
    }
  }
}
