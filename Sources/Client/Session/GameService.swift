import RIBs
import Shared

/// Runs the games for the root: `LocalGameService` in this process, `RemoteGameService` on a
/// server. The root cannot tell which one it has.
protocol GameService: AnyObject {
  var delegate: (any GameServiceDelegate)? { get set }
  /// Logs people in.
  var loginService: any LoginService { get }
  /// Starts games, once a person is logged in.
  var lobby: any GameLobby { get }
  /// Registers names; `nil` if there are no accounts.
  var accounts: (any AccountService)? { get }
  /// Finished games; `nil` if none are kept.
  var finishedGames: (any FinishedGames)? { get }
  /// The news of the match and of the connection.
  var news: Stream<MatchNews> { get }
  /// Prepares the service; `gameServiceDidOpen` follows.
  func open()
  /// Sends a chat message to everyone in the match.
  func say(_ text: String)
  /// Sends what the program itself says in the chat. Without a connection, and if it may be lost
  /// with the connection, calls `onLoss`.
  func mention(_ text: String, onLoss: @escaping () -> Void)
  /// The attached game has reported its end to the root.
  func gameDidEnd(with outcome: Outcome)
  /// Ends the session; `gameServiceDidClose` follows.
  func quit()
}

/// A game service's calls to the root.
protocol GameServiceDelegate: AnyObject {
  /// People can log in now.
  func gameServiceDidOpen()
  /// A game begins. The root attaches it within this call, because the game's first change may
  /// arrive right after it.
  func gameService(didStart game: Game, setup: GameSetup)
  /// A match that is over has been loaded.
  func gameService(didLoad replay: Replay)
  /// A start has failed. A notice has given the reason, unless the person cancelled it.
  func gameServiceDidNotStart(_ error: StartFailure)
  /// The match is over. A game that was running gets no `gameDidEnd`.
  func gameServiceDidEndMatch()
  /// The session is over and people can log in again.
  func gameServiceDidLogOut(_ reason: LoginFormError)
  /// The last call.
  func gameServiceDidClose(_ report: ExitReport)
}

/// The reason why a start has failed.
enum StartFailure: Error, Equatable {
  /// The player or the game does not exist, or the server has refused the start. A notice has given
  /// the reason.
  case refused
  /// The person has cancelled, or the opponent has gone.
  case cancelled
  case closed
}
