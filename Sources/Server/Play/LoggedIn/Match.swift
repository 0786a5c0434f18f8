import Shared

/// A match, as the sessions of its players and spectators see it. Methods are for players unless
/// their comment says otherwise. A method that throws has changed nothing.
protocol Match: AnyObject {
  var id: String { get }
  /// The id of the game that is played.
  var game: String { get }
  /// The match as an item of a list.
  var summary: MatchSummary { get }
  /// The board of the running game, or of the last one; `nil` once the match is over.
  var board: Board? { get }
  /// The number of the last event.
  var seq: Int { get }
  /// The players and the spectators.
  var sessions: [Session] { get }
  var spectatorCount: Int { get }
  /// When it began, or this process has taken it up again.
  var begin: Duration { get }
  /// Its position in the `MatchRegistry`.
  var position: Int { get set }

  /// Asks for a rematch.
  ///
  /// - Throws: `inMatch` while a game runs, and if `opponent` or `game` are not those of the match;
  ///   `alreadyWaiting` if the player has asked already.
  func start(
    by session: Session, opponent: String?, game: String?, level: BotLevel?
  ) throws(CommandError)
  /// Cancels the request for the next game.
  ///
  /// - Throws: `notWaiting` if there is none.
  func cancel(by session: Session) throws(CommandError)
  /// Declines the next game, if the match is between games and `opponent` is `nil` or names the
  /// other player.
  ///
  /// - Returns: false, without any effect, if the command is not about the next game.
  /// - Throws: `notInvited` if the other player has not asked for the next game.
  func decline(_ opponent: String?, by session: Session) throws(CommandError) -> Bool
  /// Places the player's mark. With `seq`, only if the board has not changed after that event;
  /// otherwise the player gets `stale` and the later events.
  ///
  /// - Throws: `noGame` between games.
  func place(at cell: Cell, seq: Int?, by session: Session) throws(CommandError)
  /// Resigns the running game.
  ///
  /// - Throws: `noGame` between games.
  func resign(by session: Session) throws(CommandError)
  /// Ends the match. The player loses a running game.
  func leave(by session: Session)
  /// Ends the match because the server is stopping.
  func shutDown()

  /// Whether one more spectator may watch.
  var hasRoom: Bool { get }
  /// Adds a spectator, who gets a snapshot.
  func watch(by session: Session)
  /// Removes a spectator.
  func stopWatching(by session: Session)
  /// Sends a chat message of a player or a spectator to everyone in the match.
  ///
  /// - Throws: `tooFast` if the sender chats too fast, or a player has not read earlier messages;
  ///   `full` if the store has room only for running games.
  func say(_ text: String, by session: Session) throws(CommandError)
  /// Sends the events after `seq` again to a player or a spectator, or a snapshot if they are not
  /// kept.
  func sync(after seq: Int?, to session: Session)

  /// The process before has ended, and with it the connections of both players. Called once for a
  /// match that goes on from a store, and ignored by others.
  func connectionsDidEnd()
  /// A player has a new token.
  func tokensDidChange(of session: Session)
  /// A player's account is about to be deleted, so the running game is not rated.
  func accountWillEnd()
  /// A player's connection was lost. The session no longer has a connection.
  func connectionDidEnd(of session: Session)
  /// Checks that a player may resume.
  ///
  /// - Throws: `tooFast` if the player has resumed too often.
  func checkResume(of session: Session) throws(CommandError)
  /// A player whose connection was lost is about to get a new one.
  func connectionDidResume(of session: Session)
  /// Repeats the number of spectators to a player or a spectator who has resumed, and to a player
  /// the open requests for a rematch.
  func repeatRequests(to session: Session)
}
