import Shared

/// What a workflow can do with the root.
protocol RootActionableItem: AnyObject {
  /// Waits for the login that is next. The value is the root itself, for the steps behind OffGame.
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem>
  /// Waits until the last start has become a game that is on the screen.
  func waitForGame() -> StepStream<any RootActionableItem, Void>
}
