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

/// Which marks a view plays.
package enum Seat: Equatable, Sendable {
  /// One person at this view, one elsewhere.
  case one(Mark)
  /// Two people at one keyboard, or one against the bot.
  case both
  /// A spectator.
  case none

  /// Whether this view's person moves when it is a mark's turn.
  package func plays(_ mark: Mark) -> Bool {
    switch self {
    case .one(let own): own == mark
    case .both: true
    case .none: false
    }
  }
}

/// What a game is begun with, known only when it begins.
package struct GameSetup: Equatable, Sendable {
  /// Who plays which mark, and the score before this game.
  package let series: Series
  package let seat: Seat
  /// The state so far: an empty board, unless the view joins a running game.
  package let board: Board

  package init(series: Series, seat: Seat, board: Board) {
    self.series = series
    self.seat = seat
    self.board = board
  }
}
