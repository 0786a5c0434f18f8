import RIBs
import Shared

/// Starts games, and lists the games that can be started. The root and OffGame use it.
protocol GameLobby: AnyObject {
  var offers: [Offer] { get }
  /// The game of the current match; `nil` without a match.
  var matchGame: GameInfo? { get }
  var status: Stream<LobbyStatus> { get }
  var invitations: Stream<[Invitation]> { get }
  /// Sentences about events, and the reasons for refusals.
  var notices: Stream<String> { get }
  /// Asks for a game. `level` is for the bot; `nil` is `hard` or, between games, the last level.
  func start(_ game: GameInfo, against opponent: Opponent, level: BotLevel?)
  /// Waits for a friend, who joins with a code.
  func open(_ game: GameInfo)
  /// Plays with the friend who has opened a code.
  func join(_ code: String)
  /// Declines the invitation of a player, to a new match or to the next game of this one.
  func decline(_ opponent: String)
  /// Cancels a start that waits for an opponent.
  func cancelStart()
  /// Watches a match on the server as a spectator. `match` is its id.
  func watch(_ match: String)
  /// Loads a match that is over, to show it again. `match` is its id.
  func replay(_ match: String)
  /// Leaves the match between its games. A running game is ended through its RIB instead.
  func leaveMatch()
  /// The lists that the server sends without being asked.
  var playerLists: Stream<PlayerList> { get }
  var matchLists: Stream<MatchList> { get }
  /// Asks which players are logged in. `answer` is called once.
  func listPlayers(answer: @escaping RequestAnswer<PlayerList>)
  /// Asks which matches can be watched. `answer` is called once.
  func listMatches(answer: @escaping RequestAnswer<MatchList>)
}

/// Gets the result of a request, once.
typealias RequestAnswer<Value> = (Result<Value, RequestError>) -> Void

/// The reason why a request has no result: it was refused, or there was no reply.
struct RequestError: Error, Equatable {
  let sentence: String
  /// Whether there was no connection, so that the request makes sense again once it is back.
  var isTemporary = false
}

/// An invitation from another player to the person at this client.
struct Invitation: Equatable {
  let from: String
  let game: String
  /// When the player invited, on the loop's clock.
  var since: Duration = .zero
  /// When the invitation ends; `nil` if it does not end by itself.
  var end: Duration?
}

/// A game that a service offers. A game for which this client has no plugin is listed, but not
/// playable.
struct Offer: Equatable {
  let game: GameInfo
  let isPlayable: Bool
}

extension Offer {
  /// Makes an offer from an entry of a server's list; `nil` if no board has such a shape.
  init?(_ summary: GameSummary, among games: GameRegistry) {
    guard
      let shape = BoardShape(
        rows: summary.rows, columns: summary.columns, inARow: summary.inARow)
    else { return nil }
    game = GameInfo(id: summary.id, name: summary.name, shape: shape)
    // A plugin with the same id may be a different game.
    isPlayable = games[summary.id]?.info.shape == shape
  }
}

/// The state of a person while no game runs.
enum LobbyStatus: Equatable {
  case lobby
  /// No `opponent` means anyone, or a friend who has the code.
  case waiting(opponent: String?, friend: FriendCode? = nil)
  /// Between two games of a series: the outcome of the last one, and whether the person has asked
  /// for the next one.
  case betweenGames(Outcome, hasAsked: Bool)
  /// Between two games of a match that the person is watching.
  case watching(Outcome)

  /// Whether the person is waiting for another player.
  var isWaiting: Bool {
    switch self {
    case .waiting, .betweenGames(_, hasAsked: true): true
    case .lobby, .betweenGames(_, hasAsked: false), .watching: false
    }
  }
}
