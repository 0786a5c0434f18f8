import Shared

/// What can be started, and how a start goes: what OffGame shows.
protocol Starting: AnyObject {
  var offers: [Offer] { get }
  /// The game of the match that goes on.
  var matchGame: GameInfo? { get }
  var status: Stream<PlayStatus> { get }
  /// Those that stand.
  var invitations: Stream<[Invitation]> { get }
  /// Sentences about what has happened.
  var notices: Stream<String> { get }
  /// Asks who is here, to be seen only. The answer comes once; it is `nil` where it is
  /// refused, or does not come in time.
  func listPlayers(answer: @escaping (PlayerList?) -> Void)
  /// Asks which matches there are to watch; as above.
  func listMatches(answer: @escaping (MatchList?) -> Void)
}

/// Somebody wants to play a game against the person here.
struct Invitation: Equatable {
  let from: String
  let game: String
}

/// A game that can be asked for; one without a plugin is listed, but cannot be played here.
struct Offer: Equatable {
  let game: GameInfo
  let isPlayable: Bool
}

extension Offer {
  /// A game that a server lists; `nil` where no board is like that.
  init?(_ listed: GameSummary, among games: GameRegistry) {
    guard
      let shape = BoardShape(rows: listed.rows, columns: listed.columns, inARow: listed.inARow)
    else { return nil }
    game = GameInfo(id: listed.id, name: listed.name, shape: shape)
    // A plugin of that name may be another game.
    isPlayable = games[listed.id]?.info.shape == shape
  }
}

/// Where a person stands who is in no game.
enum PlayStatus: Equatable {
  case lobby
  /// `nil`: for anyone.
  case waiting(opponent: String?)
  /// Between the games of a series: how the last one ended, and whether the next is asked for.
  case betweenGames(Outcome, hasAsked: Bool)
  /// Between the games of a match that others play.
  case watching(Outcome)

  /// Whether somebody is waited for.
  var isWaiting: Bool {
    switch self {
    case .waiting, .betweenGames(_, hasAsked: true): true
    case .lobby, .betweenGames(_, hasAsked: false), .watching: false
    }
  }
}
