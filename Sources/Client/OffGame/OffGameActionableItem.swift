import Shared

/// What a workflow can do with OffGame.
protocol OffGameActionableItem: AnyObject {
  /// Asks for a game, to play or to watch, as a person does who types it, and is done at once. Where
  /// it can be seen here that there is no such game, OffGame says so and the step fails.
  func request(_ wish: FirstWish) -> StepStream<any OffGameActionableItem, Void>
}
