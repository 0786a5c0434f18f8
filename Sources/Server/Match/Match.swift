import Shared

/// A match as the sessions in it see it: those of its players, and of its spectators where that is
/// said.
protocol Match: AnyObject {
  var id: String { get }
  /// The id of the game that is played.
  var game: String { get }
  /// The match as an item of a list.
  var summary: MatchSummary { get }
  /// Its position in the `MatchRegistry`.
  var position: Int { get set }

  /// Asks for the next game; only between games.
  func start(by session: Session, opponent: String?, game: String?) throws(CommandError)
  /// Takes that back.
  func cancel(by session: Session) throws(CommandError)
  /// `seq`: the move holds only if the board has not changed after that event.
  func place(at cell: Cell, seq: Int?, by session: Session) throws(CommandError)
  func resign(by session: Session) throws(CommandError)
  /// Ends the match; a running game is lost.
  func leave(by session: Session)

  /// Whether one more can watch.
  var hasRoom: Bool { get }
  func watch(by session: Session)
  /// Ends a spectator's watching.
  func stopWatching(by session: Session)
  /// Tells everybody in the match something, also from a spectator.
  func say(_ text: String, by session: Session) throws(CommandError)
  /// Tells the events after `seq` again, or where that cannot be, how the match stands; also to a
  /// spectator.
  func sync(after seq: Int?, to session: Session)

  /// A player's connection is lost, and already let go of.
  func connectionDidEnd(of session: Session)
  /// Refuses a player whose connection was lost to come back too often.
  func checkReturn(of session: Session) throws(CommandError)
  /// A player whose connection was lost is about to have a new one.
  func connectionDidReturn(of session: Session)
  /// Tells again who has asked for the next game.
  func repeatRequests(to session: Session)
}
