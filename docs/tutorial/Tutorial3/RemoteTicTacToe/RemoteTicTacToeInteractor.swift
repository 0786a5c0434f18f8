import RIBs

/// The proxy of a game at the other end of a wire. It has no board and no rules.
final class RemoteTicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  weak var listener: (any GameListener)?
  private let wire: any Wire
  private var isOver = false

  init(presenter: any TicTacToePresentable, wire: any Wire) {
    self.wire = wire
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    wire.receiver = self
    send(.begin)
  }

  override func willResignActive() {
    wire.receiver = nil
    if !isOver { send(.leave) }
  }

  private func send(_ command: TicTacToeCommand) {
    wire.send(command.line)
  }
}

extension RemoteTicTacToeInteractor: TicTacToePresentableListener {
  func place(at cell: Cell) {
    send(.place(cell))
  }
}

extension RemoteTicTacToeInteractor: WireReceiver {
  func didReceive(_ line: String) {
    guard let event = TicTacToeEvent(line: line) else { return }
    switch event {
    case .board(let board):
      presenter.show(board)
    case .refused(let refusal):
      presenter.refuse(refusal)
    case .over(let outcome):
      isOver = true
      presenter.announce(outcome)
      listener?.gameDidEnd(with: outcome)
    }
  }
}
