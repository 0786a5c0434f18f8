package import Shared

/// A game's view that records the calls it receives.
package final class RecordingGameView: TicTacToeViewControllable {
  package enum Call: Equatable, Sendable {
    case show(Board)
    case apply(Change)
    case refuse(MoveError)
    case announce(Outcome)
  }

  package weak var listener: (any TicTacToePresentableListener)?
  package private(set) var calls: [Call] = []
  /// The board that results from the calls.
  package private(set) var board: Board?

  package init() {}

  package func show(_ board: Board) {
    calls.append(.show(board))
    self.board = board
  }

  package func apply(_ change: Change) {
    calls.append(.apply(change))
    _ = board?.apply(change)
  }

  package func refuse(_ refusal: MoveError, to mark: Mark?) {
    calls.append(.refuse(refusal))
  }

  package func announce(_ outcome: Outcome) {
    calls.append(.announce(outcome))
  }
}
