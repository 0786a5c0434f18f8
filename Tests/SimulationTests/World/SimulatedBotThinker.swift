import Shared

/// Answers the server's slow bots after a random time, with a random open cell. A thought that is
/// not cancelled when its game ends leaves a timer.
final class SimulatedBotThinker: BotThinker {
  private let random: SeededRandom
  private let timers: any Timers
  /// How many thoughts were cancelled.
  private(set) var cancelled = 0

  init(random: SeededRandom, timers: any Timers) {
    self.random = random
    self.timers = timers
  }

  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    let time = random.duration(.milliseconds(1)...Duration.seconds(3))
    let cell = random.pick(board.openCells)
    let timer = timers.schedule(after: time) { if let cell { answer(cell) } }
    return Thought { [weak self] in
      timer.cancel()
      self?.cancelled += 1
    }
  }

  private final class Thought: Cancellable {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func cancel() { action() }
  }
}
