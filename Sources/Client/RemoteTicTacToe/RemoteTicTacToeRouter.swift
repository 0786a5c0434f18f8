import RIBs
import Shared

/// The interactor, as its router sees it.
protocol RemoteTicTacToeInteractable: Interactable {
  var listener: (any GameListener)? { get set }
  var board: Board { get }
  func leave()
}

final class RemoteTicTacToeRouter:
  ViewableRouter<any RemoteTicTacToeInteractable, any TicTacToeViewControllable>, GameRouting
{
  var board: Board { interactor.board }

  /// Sends `leave`, whatever the reason is.
  func end(_ reason: Outcome.Reason, by mark: Mark) {
    interactor.leave()
  }
}
