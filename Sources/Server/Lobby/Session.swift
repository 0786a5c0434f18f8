import Shared

/// A person who is logged in: a name and a place. The lobby holds it; it and its connection know
/// one another weakly, for neither is the other.
final class Session {
  /// Where the person is.
  enum Place {
    case lobby
    case waiting(Wish)
    case playing(any Match)
  }

  let name: PlayerName
  /// A secret for taking the session up again.
  let token: String
  weak var connection: ClientConnection?
  var place = Place.lobby
  /// Who waits for this player by name, the longest wait first.
  var suitors: [Session] = []
  /// The place in the lobby's list.
  var position = 0

  init(name: PlayerName, token: String, connection: ClientConnection) {
    self.name = name
    self.token = token
    self.connection = connection
  }

  /// Refuses to invite somebody who has not read what is there already; otherwise an invitation
  /// sent and taken back again and again would close that player's connection.
  func checkThatItReads() throws(CommandError) {
    guard connection?.isBehind() == true else { return }
    throw CommandError(
      .tooFast, field: "opponent",
      "\(name.text) has much to read already; try again in a moment.", retry: 1_000)
  }

  func write(_ event: Event) {
    connection?.write(event)
  }

  /// Writes a line that all in a match get, as this player's copy.
  func write(line: Span<UInt8>, you: Mark?) {
    connection?.write(line: line, you: you)
  }
}

/// What a waiting player wants to play.
struct Wish {
  let game: Game
  /// `nil`: anyone.
  let opponent: Session?
  /// Goes up with each wish, so the least has waited longest.
  let number: Int

  func wants(_ session: Session) -> Bool { opponent == nil || opponent === session }
}

/// A match as the sessions in it see it.
protocol Match: AnyObject {
  /// The id of the game that is played.
  var game: String { get }
  /// Asks for the next game; only between games.
  func start(by session: Session, opponent: String?, game: String?) throws(CommandError)
  /// Takes that back.
  func cancel(by session: Session) throws(CommandError)
  /// `seq`: the move holds only if the board has not changed after that event.
  func place(at cell: Cell, seq: Int?, by session: Session) throws(CommandError)
  func resign(by session: Session) throws(CommandError)
  /// Ends the match; a running game is lost.
  func leave(by session: Session)
}
