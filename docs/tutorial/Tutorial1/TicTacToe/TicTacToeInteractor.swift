import RIBs

/// The game's calls to its view.
protocol TicTacToePresentable: Presentable {
  var listener: (any TicTacToePresentableListener)? { get set }
  func show(_ board: Board)
  /// A move was refused, and nothing has changed.
  func refuse(_ refusal: MoveError)
  /// The game is over. Called after the last board.
  func announce(_ outcome: Outcome)
}

/// The game's calls to LoggedIn.
protocol TicTacToeListener: AnyObject {
  /// The game is over. The parent may detach it in this call.
  func gameDidEnd(with outcome: Outcome)
}

/// Applies the rules.
final class TicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  weak var listener: (any TicTacToeListener)?
  private var board = Board()

  override init(presenter: any TicTacToePresentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.show(board)
  }
}

extension TicTacToeInteractor: TicTacToePresentableListener {
  func place(at cell: Cell) {
    do throws(MoveError) {
      try board.place(at: cell)
    } catch {
      return presenter.refuse(error)
    }
    presenter.show(board)
    guard let outcome = board.outcome else { return }
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}

/// The actions of the person at the board.
protocol TicTacToePresentableListener: AnyObject {
  /// Puts the mark whose turn it is on a cell. The result arrives as a call of
  /// `TicTacToePresentable`.
  func place(at cell: Cell)
}
