import RIBs
import Shared

/// Answers the server's bots after a random time: for one that searches with a random open cell.
final class SimulatedBotThinker: BotThinker {
  private let random: SeededRandom
  private let timers: any Timers
  /// How many thoughts are under way.
  private(set) var pending = 0
  /// How many thoughts were cancelled.
  private(set) var cancelled = 0

  init(random: SeededRandom, timers: any Timers) {
    self.random = random
    self.timers = timers
  }

  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    let time = random.duration(.milliseconds(1)...Duration.seconds(6))
    let cell =
      strategy.isSlow(on: board)
      ? random.pick(board.openCells) : strategy.move(on: board, seed: random.seed())
    pending += 1
    let timer = timers.schedule(after: time) { [weak self] in
      self?.pending -= 1
      if let cell { answer(cell) }
    }
    return Thought { [weak self] in
      timer.cancel()
      self?.pending -= 1
      self?.cancelled += 1
    }
  }

  private final class Thought: Cancellable {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func cancel() { action() }
  }
}
