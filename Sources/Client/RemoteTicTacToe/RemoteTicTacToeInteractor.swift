import RIBs
import Shared

/// The proxy of a game that runs on the server: sends the person's moves to the server, and passes
/// the server's events to the view and to the listener. It keeps no board of its own: `RemoteMatch`
/// has it.
final class RemoteTicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  RemoteTicTacToeInteractable
{
  weak var listener: (any GameListener)?
  private let match: RemoteMatch
  /// The board at the start, which is used when the match is over and has no board.
  private let firstBoard: Board

  init(presenter: any TicTacToePresentable, board: Board, match: RemoteMatch) {
    firstBoard = board
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

  var board: Board { match.board ?? firstBoard }

  func leave() {
    match.leave()
  }
}

/// The server knows which mark this client plays, so the mark is not sent.
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
    presenter.show(board)
  }

  func boardDidChange(_ change: Change) {
    presenter.apply(change)
  }

  func wasRefused(_ error: MoveError) {
    presenter.refuse(error, to: nil)
  }

  func gameDidEnd(with outcome: Outcome) {
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}
