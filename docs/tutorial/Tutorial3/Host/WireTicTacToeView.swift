import RIBs

/// The view of a game whose person is at the other end of a wire: each call becomes a line.
final class WireTicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let wire: any Wire

  init(wire: any Wire) {
    self.wire = wire
  }

  func show(_ board: Board) {
    send(.board(board))
  }

  func refuse(_ refusal: MoveError) {
    send(.refused(refusal))
  }

  func announce(_ outcome: Outcome) {
    send(.over(outcome))
  }

  private func send(_ event: TicTacToeEvent) {
    wire.send(event.line)
  }
}
