import Shared
import TestSupport
import Testing

@Suite struct TimerQueueTests {
  private let queue = TimerQueue()

  @Test func `timers run by deadline, equal ones in the order of scheduling`() {
    let ran = Log()
    for (name, deadline) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20)] {
      _ = queue.add(at: .milliseconds(deadline)) { ran.entries.append(name) }
    }
    #expect(queue.next == .milliseconds(10))
    queue.run(at: .milliseconds(9))
    #expect(ran.entries.isEmpty)
    queue.run(at: .milliseconds(20))
    #expect(ran.entries == ["a", "b1", "b2"])
    queue.run(at: .milliseconds(30))
    #expect(ran.entries == ["a", "b1", "b2", "c"])
    #expect(queue.next == nil)
  }

  @Test func `a timer never runs before its time, not even by less than a nanosecond`() {
    let ran = Log()
    let deadline = Duration(secondsComponent: 1, attosecondsComponent: 2)
    _ = queue.add(at: deadline) { ran.entries.append("ran") }
    queue.run(at: .seconds(1))
    queue.run(at: deadline - Duration(secondsComponent: 0, attosecondsComponent: 1))
    #expect(ran.entries.isEmpty)
    queue.run(at: .seconds(1) + .nanoseconds(1))
    #expect(ran.entries == ["ran"])
  }

  @Test func `a cancelled timer does not run, and a second cancel does nothing`() {
    let ran = Log()
    let timer = queue.add(at: .zero) { ran.entries.append("ran") }
    timer.cancel()
    timer.cancel()
    queue.run(at: .seconds(1))
    #expect(ran.entries.isEmpty)
  }

  @Test func `an action may cancel another that is due, and itself`() {
    let ran = Log()
    let timers = Timed()
    timers.all.append(
      queue.add(at: .zero) {
        ran.entries.append("first")
        for timer in timers.all { timer.cancel() }
      })
    timers.all.append(queue.add(at: .zero) { ran.entries.append("second") })
    queue.run(at: .zero)
    #expect(ran.entries == ["first"])
    timers.all = []
  }

  @Test func `a timer that an action schedules waits for the next run`() {
    let ran = Log()
    let queue = queue
    _ = queue.add(at: .zero) {
      ran.entries.append("first")
      _ = queue.add(at: .zero) { ran.entries.append("second") }
    }
    queue.run(at: .seconds(1))
    #expect(ran.entries == ["first"])
    queue.run(at: .seconds(1))
    #expect(ran.entries == ["first", "second"])
  }

  @Test func `a cancelled action is released at once`() {
    weak var held: Log?
    let timer: LoopTimer
    do {
      let log = Log()
      held = log
      timer = queue.add(at: .zero) { log.entries.append("ran") }
    }
    #expect(held != nil)
    timer.cancel()
    #expect(held == nil)
  }

  @Test func `a timer may outlive its queue`() {
    let ran = Log()
    var queue: TimerQueue? = TimerQueue()
    let timer = queue?.add(at: .zero) { ran.entries.append("ran") }
    queue = nil
    timer?.cancel()
    #expect(ran.entries.isEmpty)
  }

  @Test func `random timers, some of them cancelled, run in order`() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let ran = Log()
      var timers: [(deadline: Int, number: Int, timer: LoopTimer)] = []
      for number in 0..<200 {
        let deadline = Int.random(in: 0..<50, using: &random)
        let timer = queue.add(at: .milliseconds(deadline)) { ran.entries.append("\(number)") }
        timers.append((deadline, number, timer))
        guard Bool.random(using: &random) else { continue }
        timers.remove(at: Int.random(in: 0..<timers.count, using: &random)).timer.cancel()
      }
      for now in 0..<50 { queue.run(at: .milliseconds(now)) }
      let expected = timers.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
      #expect(ran.entries == expected.map { "\($0.number)" }, "seed \(seed)")
    }
  }
}

private final class Log {
  var entries: [String] = []
}

private final class Timed {
  var all: [LoopTimer] = []
}
