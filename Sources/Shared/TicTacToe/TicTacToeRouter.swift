package import RIBs

/// The interactor, as the router sees it.
protocol TicTacToeInteractable: Interactable {
  var listener: (any GameListener)? { get set }
  var board: Board { get }
  func begin()
  func end(_ reason: Outcome.Reason, by mark: Mark)
}

package protocol TicTacToeViewControllable: ViewControllable, TicTacToePresentable {}

final class TicTacToeRouter:
  ViewableRouter<any TicTacToeInteractable, any TicTacToeViewControllable>, GameRouting
{
  var board: Board { interactor.board }

  override func didLoad() {
    interactor.begin()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    interactor.end(reason, by: mark)
  }
}

extension TicTacToeRouter: RIBDetail {
  var detail: String {
    let rows = board.rows.joined(separator: "/")
    return board.turn.map { "\(rows), \($0.letter) to move" } ?? rows
  }
}
