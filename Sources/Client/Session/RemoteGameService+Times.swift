import Shared

/// How long things may take, and when the client connects.
extension RemoteGameService {
  /// How long the session may move to another server before the person sees a lost connection.
  static let maxMoveTime: Duration = .seconds(3)
  /// How long `quit` waits for the server's `bye`.
  static let quitTimeout: Duration = .seconds(2)
  /// How long the client tries to reconnect if the server has not stated how long it keeps
  /// sessions.
  static let defaultResumeTime: Duration = .seconds(60)
  /// How long a person in the lobby waits for a name that the client's own lost connection may
  /// still hold, or one that was told to move. The form comes next, where the person can try again.
  static let ghostTimeInLobby: Duration = .seconds(10)

  /// When the client connects.
  enum ConnectTime {
    /// Before the form is shown. If the attempt fails, the program ends.
    case atLaunch
    /// At each login. A failed login can be repeated, also on another server.
    case atLogin
  }
}
