/// A scheduled call. It also runs if no one holds the timer.
package final class LoopTimer {
  // The index in the queue's heap; -1 after the timer was removed.
  var index: Int
  // The queue removes all timers before it is freed.
  private unowned let queue: TimerQueue
  private var action: (() -> Void)?

  init(index: Int, queue: TimerQueue, action: @escaping () -> Void) {
    self.index = index
    self.queue = queue
    self.action = action
  }

  /// Cancels the call, and releases its action at once. Does nothing after the call.
  package func cancel() {
    if index >= 0 { queue.remove(self) }
    withExtendedLifetime(takeAction()) {}
  }

  // An object that the action holds may cancel this timer in its deinit, so the action is released
  // last.
  func takeAction() -> (() -> Void)? {
    let taken = action
    action = nil
    return taken
  }
}

/// Timers in the order of their deadlines: a binary heap in which each timer knows its index, so
/// that cancelling one costs no more than adding one. It has no clock; a `Timers` owns it.
package final class TimerQueue {
  private var heap: [Entry] = []
  private var due: [LoopTimer] = []
  private var scheduled: UInt64 = 0

  private struct Entry {
    // In nanoseconds.
    let deadline: Int64
    // Timers with the same deadline run in the order in which they were scheduled.
    let order: UInt64
    let timer: LoopTimer
  }

  package init() {}

  // Breaks cycles between actions and the owners of their timers.
  deinit {
    for entry in heap { entry.timer.index = -1 }
    for entry in heap { withExtendedLifetime(entry.timer.takeAction()) {} }
  }

  /// When the next timer is due; `nil` if there is none.
  package var next: Duration? { nextNanoseconds.map { .nanoseconds($0) } }

  /// The same in nanoseconds.
  var nextNanoseconds: Int64? { heap.first?.deadline }

  /// Adds a timer that is due at `deadline`, rounded up to whole nanoseconds.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    add(atNanoseconds: deadline.wholeNanoseconds, action)
  }

  func add(atNanoseconds deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer {
    let timer = LoopTimer(index: heap.count, queue: self, action: action)
    heap.append(Entry(deadline: deadline, order: scheduled, timer: timer))
    scheduled += 1
    rise(from: timer.index)
    return timer
  }

  /// Runs all timers that are due at `now`. A timer that an action adds waits for the next call, so
  /// that actions which schedule one another without a delay do not block the loop. A timer that an
  /// action cancels does not run.
  package func run(at now: Duration) { run(atNanoseconds: now.pastNanoseconds) }

  func run(atNanoseconds now: Int64) {
    guard let next = nextNanoseconds, next <= now else { return }
    precondition(due.isEmpty, "run(at:) must not be called inside a timer")
    while let first = heap.first, first.deadline <= now {
      remove(first.timer)
      due.append(first.timer)
    }
    var index = 0
    while index < due.count {
      due[index].takeAction()?()
      index += 1
    }
    due.removeAll(keepingCapacity: true)
  }

  func remove(_ timer: LoopTimer) {
    let index = timer.index
    precondition(index >= 0, "this timer was removed already")
    timer.index = -1
    let last = heap.count - 1
    if index < last {
      heap.swapAt(index, last)
      heap[index].timer.index = index
    }
    heap.removeLast()
    guard index < last else { return }
    rise(from: index)
    sink(from: index)
  }

  private func rise(from start: Int) {
    var index = start
    while index > 0 {
      let above = (index - 1) / 2
      guard isBefore(index, above) else { return }
      swap(index, above)
      index = above
    }
  }

  private func sink(from start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let right = left + 1
      let least = right < heap.count && isBefore(right, left) ? right : left
      guard isBefore(least, index) else { return }
      swap(index, least)
      index = least
    }
  }

  private func isBefore(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (heap[first].deadline, heap[second].deadline)
    return one == other ? heap[first].order < heap[second].order : one < other
  }

  private func swap(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    heap[first].timer.index = first
    heap[second].timer.index = second
  }
}
