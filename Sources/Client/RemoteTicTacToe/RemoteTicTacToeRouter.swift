import Shared

/// What the router needs of its interactor.
protocol RemoteTicTacToeInteractable: Interactable {
  var listener: (any GameListener)? { get set }
  var board: Board { get }
  func leave()
}

final class RemoteTicTacToeRouter:
  ViewableRouter<any RemoteTicTacToeInteractable, any TicTacToeViewControllable>, GameRouting
{
  var board: Board { interactor.board }

  /// Asks the server to let the player leave; whatever the reason, to the server it is that.
  func end(_ reason: Outcome.Reason, by mark: Mark) {
    interactor.leave()
  }
}
