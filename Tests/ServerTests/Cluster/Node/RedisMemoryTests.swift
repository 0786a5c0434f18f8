import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RedisMemoryTests {
  @Test(arguments: [
    ("used_memory:100\r\nmaxmemory:0\r\n", true), ("used_memory:849\r\nmaxmemory:1000\r\n", true),
    ("used_memory:850\r\nmaxmemory:1000\r\n", false), ("", true),
  ])
  func `there is room up to 85 % of the limit`(_ text: String, _ hasRoom: Bool) {
    #expect(RedisUsage(text).hasRoom == hasRoom)
  }

  @Test func `a change is told once, with its figures`() {
    let (engine, clock) = (ManualRedis(), ManualTimers())
    let memory = RedisMemory(engine: engine, timers: clock)
    var changes: [RedisUsage] = []
    memory.onChange = { changes.append($0) }
    for used in [100, 900, 950, 100] {
      memory.look()
      memory.look()
      #expect(engine.requests.count == 1)
      engine.answer { _ in .bulk(Array("used_memory:\(used)\nmaxmemory:1000\n".utf8)) }
      clock.advance(by: RedisMemory.period)
    }
    #expect(changes.map(\.hasRoom) == [false, true])
    #expect(changes.map(\.used) == [900, 100])
    #expect(changes.map(\.limit) == [1_000, 1_000])
  }

  @Test func `the last figures are kept for the metrics`() {
    let (engine, clock) = (ManualRedis(), ManualTimers())
    let memory = RedisMemory(engine: engine, timers: clock)
    memory.look()
    #expect(memory.usage == nil)
    engine.answer { _ in
      .bulk(Array("used_memory:7\r\nmaxmemory:9\r\nrole:master\r\nconnected_slaves:2\r\n".utf8))
    }
    #expect(memory.usage?.used == 7 && memory.usage?.limit == 9 && memory.usage?.replicas == 2)
    clock.advance(by: RedisMemory.period)
    memory.look()
    engine.answer { _ in .error("LOADING") }
    #expect(memory.usage?.replicas == 2)
  }
}
