/// Builds a game's RIB. To its parent a local game and the proxy of a remote one are the same.
package protocol GameBuildable: Buildable {
  func build(withListener listener: any GameListener, setup: GameSetup) -> any GameRouting
}

/// What a game tells its parent.
package protocol GameListener: AnyObject {
  /// The game is over. The parent may detach the game within this call: nothing follows it.
  func gameDidEnd(with outcome: Outcome)
}

/// A game as its parent sees it.
package protocol GameRouting: ViewableRouting {
  /// The state so far.
  var board: Board { get }
  /// Ends a running game that somebody left or let time out. `gameDidEnd` follows: here within the
  /// call; from a remote game when its server says so.
  func end(_ reason: Outcome.Reason, by mark: Mark)
}
