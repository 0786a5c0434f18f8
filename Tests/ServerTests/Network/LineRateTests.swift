import Shared
import Testing

@testable import Server

@Suite struct LineRateTests {
  @Test func `a burst is taken at once, and then as many a second as there may be`() {
    var rate = LineRate(perSecond: 4, burst: 3)
    var times: [Int] = []
    for step in 0..<41 {
      for _ in 0..<2 where rate.take(at: .milliseconds(step * 250)) == .granted {
        times.append(step)
      }
    }
    // 3 at first, and one for each quarter of a second after that.
    #expect(times == [0, 0, 1, 1] + Array(2...40))
  }

  @Test func `who is told when to try again is right to do so`() {
    var rate = LineRate(perSecond: 3, burst: 2)
    #expect(rate.take(at: .seconds(100)) == .granted)
    #expect(rate.take(at: .seconds(100)) == .granted)
    guard case .tooFast(let retry) = rate.take(at: .seconds(100)) else {
      Issue.record("the third one is too fast")
      return
    }
    #expect(retry.milliseconds == 334)
    #expect(rate.take(at: .seconds(100) + .milliseconds(retry.milliseconds)) == .granted)
  }

  @Test func `as many in a row as the bucket holds are a flood`() {
    var rate = LineRate(perSecond: 1, burst: 3)
    func verdicts(_ count: Int, at now: Duration) -> [String] {
      (0..<count).map { _ in
        switch rate.take(at: now) {
        case .granted: "granted"
        case .tooFast: "tooFast"
        case .flood: "flood"
        }
      }
    }
    #expect(
      verdicts(5, at: .zero) == Array(repeating: "granted", count: 3) + ["tooFast", "tooFast"])
    // One that is granted begins a new row.
    #expect(verdicts(3, at: .seconds(1)) == ["granted", "tooFast", "tooFast"])
    #expect(verdicts(1, at: .seconds(1)) == ["flood"])
  }

  @Test func `the bucket holds no more than a burst, however long nothing came`() {
    var rate = LineRate(perSecond: 1_000_000, burst: 2)
    #expect(rate.take(at: .zero) == .granted)
    let later: Duration = .seconds(1_000_000)
    #expect(rate.take(at: later) == .granted)
    #expect(rate.take(at: later) == .granted)
    #expect(rate.take(at: later) == .tooFast(retry: .microseconds(1)))
  }

  @Test(arguments: [true, false])
  func `a stall lets through what came during it at the rate, and no more`(isFull: Bool) {
    var rate = LineRate(perSecond: 5, burst: 5)
    if !isFull {
      for _ in 0..<5 { #expect(rate.take(at: .zero) == .granted) }
    }
    // 5 a second for 3 s, and the burst on top.
    let granted = (0..<30).prefix { _ in rate.take(at: .zero, lateness: .seconds(3)) == .granted }
    #expect(granted.count == (isFull ? 20 : 15))
    #expect(
      rate.take(at: .zero, lateness: .seconds(3)) == .tooFast(retry: .milliseconds(200)))
    rate.makeUp(forStall: .seconds(3))
    #expect(rate.take(at: .zero) == .tooFast(retry: .milliseconds(200)))
    #expect(rate.take(at: .milliseconds(200)) == .granted)
    #expect(rate.take(at: .milliseconds(200)) == .tooFast(retry: .milliseconds(200)))
  }
}
