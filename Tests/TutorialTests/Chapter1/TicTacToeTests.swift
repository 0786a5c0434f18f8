import RIBs
import Testing

@testable import Tutorial1

@Suite struct TicTacToeInteractorTests {
  private let view = TicTacToePresentableMock()
  private let listener = TicTacToeListenerMock()
  private let interactor: TicTacToeInteractor

  init() {
    interactor = TicTacToeInteractor(presenter: view)
    interactor.listener = listener
    interactor.activate()
  }

  @Test func `the game begins with an empty board`() {
    #expect(view.boards == [Board()])
  }

  @Test func `a taken cell is refused and the board is not shown again`() {
    view.listener?.place(at: Cell(row: 2, column: 2))
    view.listener?.place(at: Cell(row: 2, column: 2))
    #expect(view.boards.count == 2)
    #expect(view.refusals == [.taken])
  }

  @Test func `a row of three wins, and no move follows`() {
    for (row, column) in [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (3, 3)] {
      view.listener?.place(at: Cell(row: row, column: column))
    }
    #expect(view.outcomes == [.won(.x)])
    #expect(listener.outcomes == [.won(.x)])
    #expect(view.refusals == [.gameOver])
  }
}

private final class TicTacToePresentableMock: TicTacToePresentable {
  weak var listener: (any TicTacToePresentableListener)?
  private(set) var boards: [Board] = []
  private(set) var refusals: [MoveError] = []
  private(set) var outcomes: [Outcome] = []

  func show(_ board: Board) { boards.append(board) }
  func refuse(_ refusal: MoveError) { refusals.append(refusal) }
  func announce(_ outcome: Outcome) { outcomes.append(outcome) }
}

private final class TicTacToeListenerMock: TicTacToeListener {
  private(set) var outcomes: [Outcome] = []

  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}
