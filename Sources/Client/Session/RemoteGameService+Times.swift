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

  /// What the options say of the server and the person.
  struct Settings {
    let address: ServerAddress
    /// Whether the person cannot choose another server. The form has no fields for it then.
    var isAddressFixed = false
    /// See `ClientOptions.friendLine`.
    var friendLine: String?
    let connectTime: ConnectTime
    /// Whether a person is there and can log in again when a session is lost. If not, the program
    /// ends.
    var isAttended = false
    /// Sent if a name needs a password and the form has none; `nil` without a file.
    var filePassword: String?
  }

  /// When the client connects.
  enum ConnectTime {
    /// Before the form is shown. If the attempt fails, the program ends.
    case atLaunch
    /// At each login. A failed login can be repeated, also on another server.
    case atLogin
  }
}
