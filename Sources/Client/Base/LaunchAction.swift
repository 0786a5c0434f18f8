import Shared

/// The action right after the login, from the command line or a URL.
enum LaunchAction: Equatable {
  /// `game` is the id of the game; `nil` is the first one that the opponent can play. `level` is
  /// for the bot; `nil` is `hard`.
  case start(against: Opponent, game: String? = nil, level: BotLevel? = nil)
  /// The code of a friend.
  case join(String)
  /// The id of the match.
  case watch(String)
  /// The id of a match that is over.
  case replay(String)
}

/// The game and the bot's level that are chosen in the lobby until the person chooses others. What
/// is `nil` is not chosen.
struct GameChoice: Equatable {
  /// The id of the game.
  var game: String?
  var level: BotLevel?
}

/// The choice as it is now. It outlives OffGame, which ends when a game begins.
final class MutableGameChoice {
  var current: GameChoice

  init(_ choice: GameChoice = GameChoice()) {
    current = choice
  }
}
