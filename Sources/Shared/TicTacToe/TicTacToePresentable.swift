/// What a game shows itself with: a terminal, or on the server both players' connections.
package protocol TicTacToePresentable: Presentable {
  /// Owned by the game; to be held weakly.
  var listener: (any TicTacToePresentableListener)? { get set }
  /// The game begins, or its state has been replaced.
  func show(_ board: Board)
  /// The board has changed; one call a move.
  func apply(_ change: Change)
  /// A move, or giving up, was refused; nothing has changed. From a remote game this comes late.
  /// `mark` is the one that the listener was called with.
  func refuse(_ refusal: MoveError, to mark: Mark?)
  /// The game is over; after the last change.
  func announce(_ outcome: Outcome)
}

/// What a person does at the view. The answer is a call of `TicTacToePresentable`, never a return
/// value, since the rules may be at the other end of a wire.
package protocol TicTacToePresentableListener: AnyObject {
  /// Puts a mark on a cell; without one, that of whose turn it is.
  func place(at cell: Cell, by mark: Mark?)
  /// Gives the game up; without a mark, for whose turn it is.
  func resign(by mark: Mark?)
}

/// The view of a game.
package protocol TicTacToeViewControllable: ViewControllable, TicTacToePresentable {}
