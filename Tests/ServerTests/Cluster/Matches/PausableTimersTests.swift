import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct PausableTimersTests {
  private let base = ManualTimers()
  private let timers: PausableTimers
  private let calls = Calls()

  private final class Calls { var names: [String] = [] }

  init() { timers = PausableTimers(base) }

  private func schedule(_ name: String, after delay: Duration) -> LoopTimer {
    timers.schedule(after: delay) { [calls] in calls.names.append(name) }
  }

  @Test func `without a pause they are like those below`() {
    _ = schedule("second", after: .seconds(2))
    _ = schedule("first", after: .seconds(1))
    schedule("cancelled", after: .seconds(1)).cancel()
    _ = schedule("third", after: .seconds(2))
    base.advance(by: .seconds(1))
    #expect(calls.names == ["first"])
    base.advance(by: .seconds(1))
    #expect(calls.names == ["first", "second", "third"])
    #expect(timers.now == .seconds(2))
    #expect(base.next == nil)
  }

  @Test func `a pause delays what is due, however often it comes`() {
    _ = schedule("one", after: .seconds(3))
    for _ in 1...3 {
      base.advance(by: .milliseconds(900))
      timers.pause()
      timers.pause()
      #expect(base.next == nil)
      base.advance(by: .seconds(60))
      timers.resume()
      timers.resume()
    }
    #expect(timers.now == .milliseconds(2_700))
    base.advance(by: .milliseconds(299))
    #expect(calls.names.isEmpty)
    base.advance(by: .milliseconds(1))
    #expect(calls.names == ["one"])
  }

  @Test func `what is scheduled in a pause waits for its end and for its delay`() {
    timers.pause()
    _ = schedule("later", after: .seconds(1))
    _ = schedule("now", after: .zero)
    schedule("cancelled", after: .zero).cancel()
    base.advance(by: .seconds(10))
    #expect(calls.names.isEmpty)
    timers.resume()
    base.advance(by: .zero)
    #expect(calls.names == ["now"])
    base.advance(by: .seconds(1))
    #expect(calls.names == ["now", "later"])
  }

  @Test func `an action may schedule, pause and cancel`() {
    let third = schedule("third", after: .seconds(2))
    timers.schedule(after: .seconds(1)) { [timers] in
      timers.schedule(after: .seconds(1)) { [self] in
        calls.names.append("second")
        third.cancel()
        timers.pause()
      }
      calls.names.append("first")
    }
    _ = schedule("fourth", after: .seconds(3))
    base.advance(by: .seconds(9))
    #expect(calls.names == ["first", "third", "second"])
    timers.resume()
    base.advance(by: .seconds(1))
    #expect(calls.names == ["first", "third", "second", "fourth"])
  }
}
