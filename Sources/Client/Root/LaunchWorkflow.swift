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

/// The steps that a workflow can take at the root.
protocol RootActionableItem: AnyObject {
  /// Waits for the next login. The value is the root itself, for the steps after OffGame's.
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem>
  /// Waits until the last start has led to a game on the screen.
  func waitForGame() -> StepStream<any RootActionableItem, Void>
}

/// Carries a launch action out: waits for the login, asks for the game, waits for the game. It
/// fails with a `StartError`, after a sentence on the screen has given the reason.
class LaunchWorkflow: Workflow<any RootActionableItem> {
  var didFail: (StartError) -> Void = { _ in }

  init(_ action: LaunchAction) {
    super.init()
    onStep { root in root.waitForLogin() }
      .onStep { offGame, root in
        // The game replaces OffGame, so the next step waits at the root.
        offGame.request(action).map { $0.map { _ in (root, ()) } }
      }
      .onStep { root, _ in root.waitForGame() }
      .commit()
  }

  override func didReceiveError(_ error: any Error) {
    if let error = error as? StartError { didFail(error) }
  }
}
