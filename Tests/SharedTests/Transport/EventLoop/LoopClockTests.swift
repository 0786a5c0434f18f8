import Testing

@testable import Shared

@Suite struct LoopClockTests {
  private let second: Int64 = 1_000_000_000
  private var clock = LoopClock(systemTime: 0, forgivesStalls: true)
  private var tolerance: Int64 { LoopClock.tolerance }

  @Test mutating func `time passes while waits end in time`() {
    clock.willWait(atMost: second)
    clock.didWait(systemTime: second, foundNothing: true)
    #expect(clock.now == second)
    clock.willWait(atMost: nil)
    clock.didWait(systemTime: 5_000 * second, foundNothing: false)
    #expect(clock.now == 5_000 * second)
    clock.willWait(atMost: 0)
    clock.didWait(systemTime: 5_000 * second + tolerance, foundNothing: false)
    #expect(clock.now == 5_000 * second + tolerance)
    #expect(clock.stall == 0)
  }

  @Test(arguments: [true, false])
  mutating func `the delay of a wait that ends too late does not count`(foundNothing: Bool) {
    clock.willWait(atMost: second)
    clock.didWait(systemTime: 4 * second, foundNothing: foundNothing)
    #expect(clock.now == second + tolerance)
    #expect(clock.stall == 3 * second - tolerance)
    // It stays excluded.
    clock.willWait(atMost: second)
    clock.didWait(systemTime: 5 * second, foundNothing: true)
    #expect(clock.now == 2 * second + tolerance)
  }

  @Test mutating func `an unlimited wait that a signal interrupts does not count`() {
    clock.willWait(atMost: nil)
    clock.didWait(systemTime: 3 * second, foundNothing: true)
    #expect(clock.now == tolerance)
    #expect(clock.stall == 3 * second - tolerance)
  }

  @Test
  mutating func
    `an interrupted wait with a limit does not count either, unless it was nearly over`()
  {
    clock.willWait(atMost: 10 * second)
    clock.didWait(systemTime: 3 * second, foundNothing: true)
    #expect(clock.now == tolerance)
    clock.willWait(atMost: 10 * second)
    clock.didWait(systemTime: 13 * second - 1, foundNothing: true)
    #expect(clock.now == 10 * second + tolerance - 1)
  }

  @Test mutating func `stalls add up until they are made up for`() {
    for end in [second, 2 * second] {
      clock.willWait(atMost: 0)
      clock.didWait(systemTime: end, foundNothing: false)
    }
    #expect(clock.stall == 2 * (second - tolerance))
    clock.stall = 0
    clock.willWait(atMost: 0)
    clock.didWait(systemTime: 2 * second, foundNothing: false)
    #expect(clock.stall == 0)
    #expect(clock.now == 2 * tolerance)
  }

  @Test func `a clock that does not forgive stalls counts all time`() {
    var clock = LoopClock(systemTime: 0, forgivesStalls: false)
    clock.willWait(atMost: 0)
    clock.didWait(systemTime: 3 * second, foundNothing: false)
    clock.willWait(atMost: nil)
    clock.didWait(systemTime: 9 * second, foundNothing: true)
    #expect(clock.now == 9 * second)
    #expect(clock.stall == 0)
  }
}
