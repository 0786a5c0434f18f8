import TestSupport
import Testing

@testable import Server

@Suite struct RedisOutageLogTests {
  private let clock = ManualTimers()
  private let recorder = LogRecorder()

  private func makeLog() -> RedisOutageLog {
    RedisOutageLog(timers: clock, log: recorder.log(.info))
  }

  @Test func `a failover is two lines, of which the second one names the new primary`() {
    let log = makeLog()
    for attempt in 1...9 {
      log.didDisconnect(because: "attempt \(attempt)")
      clock.advance(by: .milliseconds(400))
    }
    log.didConnect(to: RedisAddress.Place("10.0.0.2:6379", defaultPort: 0))
    #expect(recorder.lines == ["warning engineLost reason=\"attempt 1\""])
    clock.advance(by: RedisLink.steadyTime)
    #expect(
      recorder.lines.dropFirst() == ["warning engineAvailable engine=10.0.0.2:6379 ms=3600"])
  }

  @Test func `an outage of an hour is a line a minute`() {
    let log = makeLog()
    for _ in 0..<7_200 {
      log.didDisconnect(because: "refused")
      clock.advance(by: .milliseconds(500))
    }
    #expect(recorder.lines.count == 60)
  }

  @Test func `a connection that ends at once does not end the outage`() {
    let log = makeLog()
    for _ in 0..<10 {
      log.didDisconnect(because: "no replica")
      clock.advance(by: .milliseconds(500))
      log.didConnect(to: nil)
      clock.advance(by: RedisLink.steadyTime - .milliseconds(1))
    }
    #expect(recorder.lines == ["warning engineLost reason=\"no replica\""])
  }

  @Test func `the first connection is no news`() {
    makeLog().didConnect(to: nil)
    clock.advance(by: .seconds(10))
    #expect(recorder.lines.isEmpty)
  }
}
