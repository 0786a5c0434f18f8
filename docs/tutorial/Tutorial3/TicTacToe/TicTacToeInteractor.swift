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

/// Applies the rules.
final class TicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  weak var listener: (any GameListener)?
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
