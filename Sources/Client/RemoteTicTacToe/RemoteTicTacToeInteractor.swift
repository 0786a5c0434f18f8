import Shared

/// Stands here for a game at the server: what the person does goes up the wire, what has happened
/// there comes to the view and to the listener.
final class RemoteTicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  RemoteTicTacToeInteractable
{
  weak var listener: (any GameListener)?
  private(set) var board: Board
  private let match: RemoteMatch

  init(presenter: any TicTacToePresentable, board: Board, match: RemoteMatch) {
    self.board = board
    self.match = match
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    match.game = self
    presenter.show(board)
  }

  override func willResignActive() {
    if match.game === self { match.game = nil }
  }

  func leave() {
    match.leave()
  }
}

/// The server knows whose seat this is, so no mark goes up.
extension RemoteTicTacToeInteractor: TicTacToePresentableListener {
  func place(at cell: Cell, by mark: Mark?) {
    match.place(at: cell)
  }

  func resign(by mark: Mark?) {
    match.resign()
  }
}

extension RemoteTicTacToeInteractor: RemoteGame {
  func show(_ board: Board) {
    self.board = board
    presenter.show(board)
  }

  func boardDidChange(_ change: Change) {
    guard board.apply(change) else { return }
    presenter.apply(change)
  }

  func wasRefused(_ refusal: MoveError) {
    presenter.refuse(refusal, to: nil)
  }

  func gameDidEnd(with outcome: Outcome) {
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}
