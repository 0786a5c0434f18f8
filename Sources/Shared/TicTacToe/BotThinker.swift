import Foundation
import Synchronization

/// Finds the moves of bots that need more than a millisecond for one.
package protocol BotThinker: AnyObject {
  /// Looks for a move on a board whose game is not over. `answer` is called once, later, on the
  /// thread of the event loop, unless the returned thought is cancelled.
  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable
}

/// Thinks on a thread of its own, so that the event loop never waits for a bot. The thread begins
/// with the first thought and has a lower priority than the loop. Answers return as bytes through a
/// socket pair that the loop watches. Without a descriptor for it, bots move at once, at the
/// strongest level that needs no thought.
package final class BackgroundBotThinker: BotThinker {
  /// The longest time for one move. Bots that wait for one another share it, down to `minTime`.
  package static let maxTime: Duration = .seconds(1)
  /// The time that every move may take.
  package static let minTime: Duration = .milliseconds(20)

  private unowned let loop: EventLoop
  /// `nil` before the first thought.
  private var thread: (socket: Socket, worker: Worker, watch: Watch)?
  /// What to call with the index of the cell.
  private var answers: [UInt64: (Int) -> Void] = [:]
  private var lastID: UInt64 = 0
  private let random = RandomSource()

  package init(loop: EventLoop) {
    self.loop = loop
  }

  package func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable {
    guard let worker = startedWorker() else {
      let timer = loop.schedule(after: .zero) { [random] in
        answer(Strategy.quick(on: board).move(on: board, using: random))
      }
      return Thought { timer.cancel() }
    }
    lastID += 1
    answers[lastID] = { [shape = board.shape] in answer(shape.cell(at: $0)) }
    let time = max(Self.minTime, Self.maxTime / answers.count)
    let job = Job(id: lastID, board: board, strategy: strategy, seed: random.next(), time: time)
    worker.add(job)
    return Thought { [weak self] in
      job.cancel()
      self?.answers[job.id] = nil
    }
  }

  /// Starts the thread, if it is not running. Returns `nil` if there is no descriptor for it.
  private func startedWorker() -> Worker? {
    if let thread { return thread.worker }
    do throws(SystemError) {
      let (near, far) = try Socket.pair()
      do throws(SystemError) {
        let watch = try loop.watch(near.descriptor, for: .readable, handler: self)
        let worker = Worker(socket: far)
        thread = (near, worker, watch)
        Thread.detachNewThread { worker.run() }
        return worker
      } catch {
        near.close()
        far.close()
        return nil
      }
    } catch {
      return nil
    }
  }

  /// A move to look for.
  private final class Job: Sendable {
    let id: UInt64
    let board: Board
    let strategy: Strategy
    let seed: UInt64
    let time: Duration
    private let flag = Atomic(false)

    init(id: UInt64, board: Board, strategy: Strategy, seed: UInt64, time: Duration) {
      self.id = id
      self.board = board
      self.strategy = strategy
      self.seed = seed
      self.time = time
    }

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
  }

  /// The thread and its queue.
  private final class Worker: Sendable {
    private let socket: Socket
    private let jobs = Mutex<[Job?]>([])
    private let wakeUp = DispatchSemaphore(value: 0)

    init(socket: Socket) { self.socket = socket }

    func add(_ job: Job) {
      jobs.withLock { $0.append(job) }
      wakeUp.signal()
    }

    /// Ends the thread after the current job.
    func stop() {
      jobs.withLock { $0 = [nil] }
      wakeUp.signal()
    }

    func run() {
      #if os(Linux)
        // On Linux this holds for the calling thread only.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      #endif
      while true {
        wakeUp.wait()
        // `stop` may have removed the job that this signal was for.
        guard let next = jobs.withLock({ $0.isEmpty ? nil : .some($0.removeFirst()) }) else {
          continue
        }
        guard let job = next else { break }
        if !job.isCancelled { think(about: job) }
      }
      socket.close()
    }

    private func think(about job: Job) {
      let deadline = ContinuousClock.now + job.time
      let cell = job.strategy.move(on: job.board, seed: job.seed) {
        job.isCancelled || ContinuousClock.now > deadline
      }
      if !job.isCancelled { send(job.id, UInt64(job.board.shape.index(of: cell))) }
    }

    /// Waits if the loop has not read earlier answers. Fails only if the loop has ended.
    private func send(_ id: UInt64, _ index: UInt64) {
      while true {
        do throws(SystemError) {
          _ = try withUnsafeBytes(of: (id, index)) { bytes throws(SystemError) in
            try socket.send(bytes)
          }
          return
        } catch {
          guard error.isWouldBlock else { return }
          Thread.sleep(forTimeInterval: 0.001)
        }
      }
    }
  }
}

extension BackgroundBotThinker: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // Every answer is sent at once, and the buffer holds a whole number of them.
    let count = (try? thread?.socket.receive(into: loop.receiveBuffer)) ?? 0
    let bytes = Array(loop.receiveBuffer[..<count])
    for start in stride(from: 0, to: count - 15, by: 16) {
      let (id, index) = bytes.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: start, as: UInt64.self),
          $0.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
        )
      }
      answers.removeValue(forKey: id)?(Int(index))
    }
  }

  package func loopDidEnd() {
    answers = [:]
    thread?.worker.stop()
    thread?.socket.close()
    thread = nil
  }
}

/// A thought that can be cancelled.
private final class Thought: Cancellable {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  func cancel() { action() }
}
