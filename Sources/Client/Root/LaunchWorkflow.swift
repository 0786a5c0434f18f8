import RIBs
import Shared

/// The steps that a workflow can take at the root.
protocol RootActionableItem: AnyObject {
  /// Waits for the next login. The value is the root itself, for the steps after OffGame's.
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem>
  /// Waits until the last start has led to a game on the screen.
  func waitForGame() -> StepStream<any RootActionableItem, Void>
}

/// Carries a launch action out: waits for the login, asks for the game, waits for the game. It
/// fails with a `StartFailure`, after a sentence on the screen has given the reason.
class LaunchWorkflow: Workflow<any RootActionableItem> {
  var didFail: (StartFailure) -> Void = { _ in }

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
    if let error = error as? StartFailure { didFail(error) }
  }
}
