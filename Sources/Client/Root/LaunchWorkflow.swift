import Shared

/// Straight from the command line into a game, to play or to watch: waits for the login, asks for
/// the game, waits for it. It fails with a `FailedStart`; a sentence on the screen has said why.
class StartWorkflow: Workflow<any RootActionableItem> {
  var didFail: (FailedStart) -> Void = { _ in }

  init(_ wish: FirstWish) {
    super.init()
    onStep { root in root.waitForLogin() }
      .onStep { offGame, root in
        // The game takes OffGame's place, so it is at the root that it is waited for.
        offGame.request(wish).map { $0.map { _ in (root, ()) } }
      }
      .onStep { root, _ in root.waitForGame() }
      .commit()
  }

  override func didReceiveError(_ error: any Error) {
    if let failure = error as? FailedStart { didFail(failure) }
  }
}

/// What a workflow can do with the root.
protocol RootActionableItem: AnyObject {
  /// Waits for the login that is next. The value is the root itself, for the steps behind OffGame.
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem>
  /// Waits until the last start has become a game that is on the screen.
  func waitForGame() -> StepStream<any RootActionableItem, Void>
}

/// What a command line or a URL wants done right after the login.
enum FirstWish: Equatable {
  case start(against: Opponent)
  /// The id of the match.
  case watch(String)
}
