import RIBs

/// The interactor, as its router sees it.
protocol TicTacToeInteractable: Interactable {
  var listener: (any TicTacToeListener)? { get set }
}

protocol TicTacToeViewControllable: ViewControllable, TicTacToePresentable {}

final class TicTacToeRouter:
  ViewableRouter<any TicTacToeInteractable, any TicTacToeViewControllable>
{}
