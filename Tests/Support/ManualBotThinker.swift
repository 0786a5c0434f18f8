package import RIBs
package import Shared

/// A thinker that answers when the test says so, with the first open cell.
package final class ManualBotThinker: BotThinker {
  private final class Thought: Cancellable {
    let board: Board
    let answer: (Cell) -> Void
    var isCancelled = false

    init(_ board: Board, _ answer: @escaping (Cell) -> Void) {
      self.board = board
      self.answer = answer
    }

    func cancel() { isCancelled = true }
  }

  private var thoughts: [Thought] = []

  package init() {}

  /// How many thoughts are under way.
  package var count: Int { thoughts.filter { !$0.isCancelled }.count }

  package func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    let thought = Thought(board, answer)
    thoughts.append(thought)
    return thought
  }

  /// Answers every thought that is not cancelled.
  package func answer() {
    let pending = thoughts.filter { !$0.isCancelled }
    thoughts = []
    for thought in pending {
      if let cell = thought.board.openCells.first { thought.answer(cell) }
    }
  }
}
