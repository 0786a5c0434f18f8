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
