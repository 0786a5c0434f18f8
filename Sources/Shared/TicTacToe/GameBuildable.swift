package import RIBs

/// Builds the RIB of a game. The parent cannot tell a local game from the proxy of a remote one.
package protocol GameBuildable: Buildable {
  func build(withListener listener: any GameListener, setup: GameSetup) -> any GameRouting
}

/// What a game reports to its parent.
package protocol GameListener: AnyObject {
  /// The game is over. The parent may detach the game within this call, so the game does nothing
  /// after it.
  func gameDidEnd(with outcome: Outcome)
}

/// A game, as its parent sees it.
package protocol GameRouting: ViewableRouting {
  var board: Board { get }
  /// Ends a running game that the player of `mark` has left, or whose time has run out. A local
  /// game calls `gameDidEnd` before this returns; a remote game calls it when its server reports
  /// the end.
  func end(_ reason: Outcome.Reason, by mark: Mark)
}

/// The marks that a view plays.
package enum Seat: Equatable, Sendable {
  /// One player is at this view, the other one elsewhere.
  case one(Mark)
  /// Two people share the keyboard, or one plays against the bot.
  case both
  /// A spectator.
  case none

  /// Whether a player at this view moves when it is a mark's turn.
  package func plays(_ mark: Mark) -> Bool {
    switch self {
    case .one(let own): own == mark
    case .both: true
    case .none: false
    }
  }
}

/// The state with which a game starts. It becomes known only then.
package struct GameSetup: Equatable, Sendable {
  /// The players and their marks, and the score before this game.
  package let series: Series
  package let seat: Seat
  /// An empty board, unless the view joins a running game.
  package let board: Board
  /// How well the bot plays, if one plays.
  package let level: BotLevel
  /// Whether the game goes on that a process before has begun.
  package let hasBegun: Bool

  package init(
    series: Series, seat: Seat, board: Board, level: BotLevel = .hard, hasBegun: Bool = false
  ) {
    self.hasBegun = hasBegun
    self.series = series
    self.seat = seat
    self.board = board
    self.level = level
  }
}
