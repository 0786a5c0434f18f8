package import RIBs
import Synchronization

/// Finds the moves of bots that do not move at once; see `Strategy.takesTime(on:)`.
package protocol BotThinker: AnyObject {
  /// Looks for a move on a board whose game is not over. `answer` is called once, later, on the
  /// thread of the event loop, unless the returned thought is cancelled.
  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable
}

/// Thinks on a thread of its own, so that the event loop never waits for a bot. The thread begins
/// with the first thought and has a lower priority than the loop. Without a descriptor for it, bots
/// move at once, at the strongest level that needs no thought. Moves that need no thought come
/// after a pause.
package final class BackgroundBotThinker: BotThinker {
  /// The longest time for one move. Bots that wait for one another share it, down to `minTime`.
  package static let maxTime: Duration = .seconds(1)
  /// The time that every move may take.
  package static let minTime: Duration = .milliseconds(20)

  /// How long a bot waits that needs no thought.
  package static let pause: Duration = .milliseconds(300)

  private unowned let loop: EventLoop
  /// `nil` for those of the loop.
  private let timers: (any Timers)?
  /// `nil` before the first thought.
  private var thread: HelperThread?
  /// The moves that bots wait for.
  private var jobs: [UInt64: Job] = [:]
  private var lastID: UInt64 = 0
  private let random = RandomSource()

  /// `timers` are for the pauses; by default those of the loop.
  package init(loop: EventLoop, timers: (any Timers)? = nil) {
    self.loop = loop
    self.timers = timers
  }

  deinit { for job in jobs.values { job.cancel() } }

  package func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    guard strategy.isSlow(on: board) else {
      return move(on: board, by: strategy, after: Self.pause, answer: answer)
    }
    guard let thread = startedThread() else {
      return move(on: board, by: .quick(on: board), after: .zero, answer: answer)
    }
    lastID += 1
    let id = lastID
    let time = max(Self.minTime, Self.maxTime / (jobs.count + 1))
    let job = Job(board: board, strategy: strategy, seed: random.next(), time: time)
    jobs[id] = job
    thread.perform {
      job.move()
    } then: { [weak self] cell in
      guard self?.jobs.removeValue(forKey: id) != nil, let cell else { return }
      answer(cell)
    }
    return Thought { [weak self] in
      job.cancel()
      self?.jobs[id] = nil
    }
  }

  /// Finds a move on the loop, in less than a millisecond.
  private func move(
    on board: Board, by strategy: Strategy, after pause: Duration, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    let timer = (timers ?? loop).schedule(after: pause) { [random] in
      answer(strategy.move(on: board, using: random))
    }
    return Thought { timer.cancel() }
  }

  /// Starts the thread, if it is not running. Returns `nil` if there is no descriptor for it.
  private func startedThread() -> HelperThread? {
    if let thread { return thread }
    do throws(SystemError) {
      thread = try HelperThread(loop: loop, priority: .low)
    } catch {
      return nil
    }
    return thread
  }

  /// A move to look for.
  private final class Job: Sendable {
    private let board: Board
    private let strategy: Strategy
    private let seed: UInt64
    private let time: Duration
    private let isCancelled = Atomic(false)

    init(board: Board, strategy: Strategy, seed: UInt64, time: Duration) {
      self.board = board
      self.strategy = strategy
      self.seed = seed
      self.time = time
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Looks for the move; `nil` if nobody waits for it any more.
    func move() -> Cell? {
      guard !isCancelled.load(ordering: .relaxed) else { return nil }
      let deadline = ContinuousClock.now + time
      return strategy.move(on: board, seed: seed) { [self] in
        isCancelled.load(ordering: .relaxed) || ContinuousClock.now > deadline
      }
    }
  }
}

private final class Thought: Cancellable {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  func cancel() { action() }
}
