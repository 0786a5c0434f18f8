import TestSupport
import Testing

@testable import Server

@Suite struct RedisOutboxTests {
  private let engine = ManualRedis()
  private let clock = ManualTimers()
  private let outbox: RedisOutbox

  init() { outbox = RedisOutbox(engine: engine, timers: clock) }

  /// The commands of the oldest request, in words.
  private var sent: [String] {
    (engine.requests.first?.commands ?? []).map { $0.joined(separator: " ") }
  }

  private func answerAll() {
    while !engine.requests.isEmpty { engine.confirm() }
  }

  @Test func `a command goes out at once, and the replicas are asked soon`() {
    outbox.post("DEL", "a")
    #expect(sent == ["DEL a"])
    #expect(engine.requests.map(\.confirmed) == [.soon(within: RedisOutbox.confirmTime)])
  }

  @Test func `what waits goes out as one over a new connection, until it is confirmed`() {
    outbox.post("DEL", "a")
    outbox.post("DEL", "b")
    for _ in 0..<2 { engine.answer(nil) }
    clock.advance(by: RedisOutbox.keepTime + .seconds(1))
    for _ in 0..<3 {
      outbox.didConnect()
      #expect(sent == ["DEL a", "DEL b"] && engine.requests.count == 1)
      engine.answer(nil)
    }
    outbox.didConnect()
    answerAll()
    outbox.didConnect()
    #expect(engine.requests.isEmpty)
  }

  @Test func `what the replicas may not have goes out again over a new connection`() {
    outbox.post("DEL", "a")
    engine.answer(nil)
    clock.advance(by: RedisOutbox.keepTime + .seconds(1))
    outbox.didConnect()
    #expect(sent == ["DEL a"])
    answerAll()
    outbox.didConnect()
    #expect(engine.requests.isEmpty)
  }

  @Test func `what was confirmed a moment ago goes out again too`() {
    outbox.post("DEL", "a")
    answerAll()
    outbox.didConnect()
    #expect(sent == ["DEL a"])
    answerAll()
    clock.advance(by: RedisOutbox.keepTime + .milliseconds(1))
    outbox.didConnect()
    #expect(engine.requests.isEmpty)
  }

  @Test func `what must not be repeated is not, once it was confirmed`() {
    outbox.post(.takeOver, ["s1", "north 1"], isKept: false)
    answerAll()
    outbox.didConnect()
    #expect(engine.requests.isEmpty)
  }

  @Test func `what is refused goes out again until it is not`() {
    outbox.post("SET", "a", "b")
    for _ in 0..<3 {
      engine.answer { _ in .error("OOM command not allowed") }
      answerAll()
      #expect(engine.requests.isEmpty)
      clock.advance(by: RedisOutbox.refusalDelay)
      #expect(sent == ["SET a b"])
    }
    answerAll()
    clock.advance(by: .seconds(5))
    #expect(engine.requests.isEmpty)
  }

  @Test func `after the end of a life nothing of it goes out any more`() {
    outbox.post("SET", "a", "b")
    outbox.removeAll()
    engine.answer { _ in .error("OOM command not allowed") }
    answerAll()
    clock.advance(by: .seconds(5))
    outbox.didConnect()
    #expect(engine.requests.isEmpty)
  }
}
