import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ReplyTimesTests {
  private let clock = ManualTimers()
  private let replies: ReplyTimes

  init() {
    replies = ReplyTimes(timers: clock, gate: OutputGate())
  }

  @Test func `the lines of a turn take as long as the turn`() {
    replies.turnDidEnd(from: .seconds(1), to: .seconds(1) + .milliseconds(2), lines: 3)
    replies.turnDidEnd(from: .seconds(2), to: .seconds(5), lines: 3)
    replies.turnDidEnd(from: .seconds(6), to: .seconds(6) + .milliseconds(4), lines: 4)
    #expect(replies.histogram.count == 4)
    #expect(replies.histogram.sum == .milliseconds(10))
  }

  @Test func `the wait of lines that are handled in a later turn counts`() {
    clock.advance(by: .seconds(5))
    replies.didHandle(2, after: .seconds(1))
    replies.turnDidEnd(from: .seconds(5), to: .seconds(6), lines: 3)
    #expect(replies.histogram.count == 3)
    #expect(replies.histogram.sum == .seconds(1 + 2 + 2))
  }

  @Test func `an answer that comes later counts when it has come`() {
    replies.didPostpone()
    replies.turnDidEnd(from: .zero, to: .milliseconds(1), lines: 1)
    #expect(replies.histogram.count == 0)
    clock.advance(by: .seconds(3))
    replies.didAnswer(after: .seconds(3))
    replies.turnDidEnd(from: .seconds(3), to: .seconds(4), lines: 1)
    #expect(replies.histogram.count == 1)
    #expect(replies.histogram.sum == .seconds(4))
  }

  @Test func `an answer that waits until something is stored counts when it may leave`() throws {
    let loop = try EventLoop()
    let gate = loop.outputGate
    let replies = ReplyTimes(timers: loop, gate: gate)
    gate.close(true)
    try loop.turn(wait: .zero)
    replies.turnDidEnd(from: .zero, to: .seconds(1), lines: 2)
    replies.turnDidEnd(from: .seconds(2), to: .seconds(3), lines: 2)
    #expect(replies.histogram.count == 0)
    gate.advance(to: gate.committed)
    replies.turnDidEnd(from: .seconds(4), to: .seconds(5), lines: 3)
    #expect(replies.histogram.count == 3)
    #expect(replies.histogram.sum == .seconds(5 + 5 + 1))
  }
}
