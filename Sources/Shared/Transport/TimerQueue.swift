/// Timers in the order of their deadlines: a binary heap in which each timer knows its place, so
/// that to cancel one costs no more than to add one. Knows no clock; a `Timers` owns it.
package final class TimerQueue {
  private var heap: [LoopTimer] = []
  private var due: [LoopTimer] = []
  private var scheduled: UInt64 = 0

  package init() {}

  // Actions may hold what holds their timers.
  deinit {
    for timer in heap { timer.place = -1 }
    for timer in heap { withExtendedLifetime(timer.takeAction()) {} }
  }

  /// When the next timer is due; `nil` where there is none.
  package var next: Duration? { nextNanoseconds.map { .nanoseconds($0) } }

  /// The same in nanoseconds.
  var nextNanoseconds: Int64? { heap.first?.deadline }

  /// Adds a timer that is due at a time, rounded up to whole nanoseconds.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    add(atNanoseconds: deadline.wholeNanoseconds, action)
  }

  func add(atNanoseconds deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer {
    let timer = LoopTimer(deadline: deadline, order: scheduled, queue: self, action: action)
    scheduled += 1
    timer.place = heap.count
    heap.append(timer)
    rise(from: timer.place)
    return timer
  }

  /// Runs all that is due at `now`. What an action adds waits for the next call, so that actions
  /// which schedule one another at once do not keep the loop; what it cancels does not run.
  package func run(at now: Duration) { run(atNanoseconds: now.pastNanoseconds) }

  func run(atNanoseconds now: Int64) {
    guard let next = nextNanoseconds, next <= now else { return }
    precondition(due.isEmpty, "timers do not run inside a timer")
    while let first = heap.first, first.deadline <= now {
      remove(first)
      due.append(first)
    }
    var index = 0
    while index < due.count {
      due[index].takeAction()?()
      index += 1
    }
    due.removeAll(keepingCapacity: true)
  }

  func remove(_ timer: LoopTimer) {
    let place = timer.place
    timer.place = -1
    let last = heap.removeLast()
    guard last !== timer else { return }
    put(last, at: place)
    rise(from: place)
    sink(from: last.place)
  }

  private func put(_ timer: LoopTimer, at place: Int) {
    heap[place] = timer
    timer.place = place
  }

  private func rise(from start: Int) {
    var place = start
    while place > 0 {
      let above = (place - 1) / 2
      guard heap[place].isBefore(heap[above]) else { return }
      swap(place, above)
      place = above
    }
  }

  private func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for below in [2 * place + 1, 2 * place + 2]
      where below < heap.count && heap[below].isBefore(heap[least]) {
        least = below
      }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private func swap(_ first: Int, _ second: Int) {
    let timer = heap[first]
    put(heap[second], at: first)
    put(timer, at: second)
  }
}
