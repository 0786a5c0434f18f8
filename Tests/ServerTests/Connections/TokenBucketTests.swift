import Shared
import Testing

@testable import Server

@Suite struct TokenBucketTests {
  @Test func `a burst is taken at once, then the rate applies`() {
    var bucket = TokenBucket(perSecond: 4, burst: 3)
    var times: [Int] = []
    for step in 0..<41 {
      for _ in 0..<2 where bucket.take(at: .milliseconds(step * 250)) == nil {
        times.append(step)
      }
    }
    // 3 at first, then one each quarter of a second.
    #expect(times == [0, 0, 1, 1] + Array(2...40))
  }

  @Test func `a token is available after the returned time`() throws {
    var bucket = TokenBucket(perSecond: 3, burst: 2)
    #expect(bucket.take(at: .seconds(100)) == nil)
    #expect(bucket.take(at: .seconds(100)) == nil)
    let wait = bucket.take(at: .seconds(100))
    let retry = try #require(wait)
    #expect(retry.milliseconds == 334)
    #expect(bucket.take(at: .seconds(100) + .milliseconds(retry.milliseconds)) == nil)
  }

  @Test func `several tokens are taken together or not at all`() {
    var bucket = TokenBucket(perSecond: 10, burst: 12)
    #expect(bucket.take(10, at: .zero) == nil)
    #expect(bucket.take(10, at: .zero) == .milliseconds(800))
    #expect(bucket.take(2, at: .zero) == nil)
    #expect(bucket.take(1, at: .zero) == .milliseconds(100))
  }

  @Test func `a bucket never holds more than a burst`() {
    var bucket = TokenBucket(perSecond: 1_000_000, burst: 2)
    #expect(bucket.take(at: .zero) == nil)
    let later: Duration = .seconds(1_000_000)
    #expect(bucket.isFull(at: later))
    #expect(bucket.take(at: later) == nil)
    #expect(bucket.take(at: later) == nil)
    #expect(!bucket.isFull(at: later))
    #expect(bucket.take(at: later) == .microseconds(1))
  }

  @Test(arguments: [true, false])
  func `after a stall the lines of its time are accepted at the rate`(isFull: Bool) {
    var bucket = TokenBucket(perSecond: 5, burst: 5)
    if !isFull {
      for _ in 0..<5 { #expect(bucket.take(at: .zero) == nil) }
    }
    // 5 a second for 3 s, and the burst.
    let granted = (0..<30).prefix { _ in bucket.take(at: .zero, lateness: .seconds(3)) == nil }
    #expect(granted.count == (isFull ? 20 : 15))
    #expect(bucket.take(at: .zero, lateness: .seconds(3)) == .milliseconds(200))
    bucket.makeUp(forStall: .seconds(3))
    #expect(bucket.take(at: .zero) == .milliseconds(200))
    #expect(bucket.take(at: .milliseconds(200)) == nil)
    #expect(bucket.take(at: .milliseconds(200)) == .milliseconds(200))
  }
}
