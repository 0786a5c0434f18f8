import Shared

/// Runs the games for the root: `LocalGameService` in this process, `RemoteGameService` at a
/// server. The root cannot tell which of them it has.
protocol GameService: AnyObject {
  var delegate: (any GameServiceDelegate)? { get set }
  /// Logs people in.
  var loginService: any LoginService { get }
  /// Starts games, once somebody is logged in.
  var lobby: any GameLobby { get }
  /// The news of the match and of the connection.
  var news: Stream<MatchNews> { get }
  /// Prepares the service; `gameServiceDidOpen` follows.
  func open()
  /// Sends a chat message to everyone in the match.
  func say(_ text: String)
  /// The attached game has reported its end to the root.
  func gameDidEnd(with outcome: Outcome)
  /// Ends the session; `gameServiceDidClose` follows.
  func quit()
}

/// What a game service reports to the root.
protocol GameServiceDelegate: AnyObject {
  /// People can log in now.
  func gameServiceDidOpen()
  /// A game begins. The root attaches it within this call, because the game's first change may
  /// arrive right after it.
  func gameService(didStart game: Game, setup: GameSetup)
  /// No game comes of a start. A notice has given the reason, unless the person cancelled.
  func gameServiceDidNotStart(_ error: StartError)
  /// The match is over. A game that was running gets no `gameDidEnd`.
  func gameServiceDidEndMatch()
  /// The session is over and people can log in again; `reason` is a sentence.
  func gameServiceDidLogOut(_ reason: String)
  /// The last call.
  func gameServiceDidClose(_ report: ExitReport)
}

/// Why no game comes of a start.
enum StartError: Error, Equatable {
  /// The player or the game does not exist, or the server has refused. A notice has said so.
  case refused
  /// The person has cancelled, or the opponent has gone.
  case cancelled
  /// The service has closed.
  case closed
}
