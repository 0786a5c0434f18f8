import Foundation
import Synchronization

/// Does work that would block the event loop, elsewhere. Tests do it when they choose.
package protocol BackgroundWorker: AnyObject {
  /// Does work after all earlier work, and then calls `then` with its result, on the thread of the
  /// event loop.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void)
}

/// A thread that does one piece of work after the other. It tells the loop of each result through a
/// socket pair.
package final class HelperThread: BackgroundWorker {
  private unowned let loop: EventLoop
  private let socket: Socket
  private let queue: Queue
  private var watch: Watch?
  /// What to call for each piece of work that is not done yet, the oldest first.
  private var completions: [() -> Void] = []

  /// How the system chooses between the thread and others, where it allows that for one thread.
  package enum Priority: Sendable {
    case normal
    /// It gets a tenth of the time of another thread that needs the processor.
    case low
    /// It runs when no other thread needs the processor.
    case idle

    fileprivate func apply() {
      #if os(Linux)
        // On Linux these hold for the calling thread only.
        switch self {
        case .normal: break
        case .low: setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        case .idle:
          var parameters = sched_param()
          // SCHED_IDLE, which Glibc's module does not export.
          sched_setscheduler(0, 5, &parameters)
        }
      #endif
    }
  }

  /// Starts the thread. It ends with the loop, or at `end`.
  ///
  /// - Throws: if there is no descriptor for the socket pair.
  package init(loop: EventLoop, priority: Priority = .normal) throws(SystemError) {
    self.loop = loop
    let (near, far) = try Socket.pair()
    socket = near
    queue = Queue(socket: far)
    do throws(SystemError) {
      watch = try loop.watch(near.descriptor, for: .readable, handler: self)
    } catch {
      near.close()
      far.close()
      throw error
    }
    Thread.detachNewThread { [queue] in
      priority.apply()
      queue.run()
    }
  }

  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void
  ) {
    let result = Box<Result>()
    completions.append {
      if let value = result.value.withLock({ $0 }) { then(value) }
    }
    queue.add { result.value.withLock { $0 = work() } }
  }

  /// Ends the thread after the work that it does now. Releases what waits for results, without
  /// calling it.
  package func end() {
    guard let watch else { return }
    loop.cancel(watch)
    loopDidEnd()
  }

  /// A result on its way to the loop.
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private final class Queue: Sendable {
    private let socket: Socket
    private let work = Mutex<[(@Sendable () -> Void)?]>([])
    private let wakeUp = DispatchSemaphore(value: 0)

    init(socket: Socket) { self.socket = socket }

    /// `nil` ends the thread.
    func add(_ work: (@Sendable () -> Void)?) {
      self.work.withLock { $0.append(work) }
      wakeUp.signal()
    }

    func run() {
      while true {
        wakeUp.wait()
        guard let work = work.withLock({ $0.removeFirst() }) else { break }
        work()
        tellLoop()
      }
      socket.close()
    }

    /// Waits if the loop has not read earlier bytes. Fails only if the loop has ended.
    private func tellLoop() {
      while true {
        do throws(SystemError) {
          _ = try withUnsafeBytes(of: UInt8(0)) { byte throws(SystemError) in
            try socket.send(byte)
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

extension HelperThread: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // One byte for each result. A failure is reported as readiness again.
    let count = (try? socket.receive(into: loop.receiveBuffer)) ?? 0
    for _ in 0..<count where !completions.isEmpty { completions.removeFirst()() }
  }

  package func loopDidEnd() {
    watch = nil
    completions = []
    queue.add(nil)
    socket.close()
  }
}
