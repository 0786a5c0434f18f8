import RIBs
import Shared

/// Measures how long people wait for the searches of another thinker.
final class MeasuredBotThinker: BotThinker {
  private let thinker: any BotThinker
  private let timers: any Timers
  private let metrics: Metrics

  init(_ thinker: any BotThinker, timers: any Timers, metrics: Metrics) {
    self.thinker = thinker
    self.timers = timers
    self.metrics = metrics
  }

  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    guard strategy.isSlow(on: board) else {
      return thinker.move(on: board, by: strategy, answer: answer)
    }
    let begin = timers.preciseNow
    return thinker.move(on: board, by: strategy) { [timers, metrics] in
      metrics.botMoves.add(timers.preciseNow - begin)
      answer($0)
    }
  }
}
