import Shared

/// The one seam between Root and whoever runs the games: remote play asks a server and answers
/// later, local play is this process and answers at once.
protocol Play: LoginService, Starting {
  var listener: (any PlayListener)? { get set }
  /// Makes ready; `playDidOpen` follows.
  func open()
  func start(_ game: GameInfo, against opponent: Opponent)
  /// Takes that back.
  func cancelStart()
  /// Leaves the match between its games. In a running game it is the game that is ended.
  func leaveMatch()
  /// Watches a match at the server as a spectator.
  func watch(_ match: String)
  /// Asks who is here, to have it said; a notice follows.
  func listPlayers()
  /// Asks which matches there are, to have it said.
  func listMatches()
  /// What goes on around the match, and how the way to the server is.
  var news: Stream<MatchNews> { get }
  /// Says something to all in the match.
  func say(_ text: String)
  /// The attached game has told Root that it is over.
  func gameDidEnd(with outcome: Outcome)
  /// Says goodbye; `playDidClose` follows.
  func quit()
}

/// What play tells Root.
protocol PlayListener: AnyObject {
  /// People can log in now.
  func playDidOpen()
  /// A game begins: to be attached at once, for its first change may be next.
  func play(didStart game: Game, setup: GameSetup)
  /// A start comes to nothing; where the person has not wished that, a notice has said why.
  func playDidNotStart(_ failure: FailedStart)
  /// The match is over, with no word of a game that may have run.
  func playDidEndMatch()
  /// The session is over, and people can log in again; the sentence says why.
  func playDidLogOut(_ reason: String)
  /// It is all over; nothing follows.
  func playDidClose(_ farewell: Farewell)
}

/// How a program ends: with a code, and a sentence unless all is well.
struct Farewell: Equatable {
  let code: ExitCode
  /// Printable, as it may have a server's words in it.
  let sentence: String?

  init(code: ExitCode, sentence: String?) {
    self.code = code
    self.sentence = sentence?.printable
  }
}

/// Whom to play against.
enum Opponent: Equatable {
  case anyone
  case bot
  case player(String)
}

/// Why a start does not become a game.
enum FailedStart: Error, Equatable {
  /// There is no such player or game here, or the server will not; a sentence has said so.
  case refused
  /// Taken back, or the opponent has gone.
  case cancelled
  /// Play has closed.
  case closed
}
