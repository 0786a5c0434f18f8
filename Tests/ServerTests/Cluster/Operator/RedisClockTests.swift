import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RedisClockTests {
  /// The clocks of two hosts with a node each, and that of the engine.
  private final class World {
    /// Since the machines have started.
    var boot: Duration = .seconds(100)
    /// Since 1970.
    var engine: Duration = .seconds(1_000_000)
    var wall: Duration = .seconds(1_000_000)
    var shift = "0"
    var steps: [Duration] = []
    var skews: [Duration] = []

    func pass(_ time: Duration) {
      boot += time
      engine += time
      wall += time
    }
  }

  private let world = World()
  private let one: (engine: ManualRedis, clock: RedisClock)
  private let other: (engine: ManualRedis, clock: RedisClock)

  init() {
    let world = world
    func node() -> (ManualRedis, RedisClock) {
      let engine = ManualRedis()
      let clock = RedisClock(
        engine: engine, now: { world.boot }, wall: { Date(since1970: world.wall) })
      clock.onStep = { world.steps.append($0) }
      clock.onSkew = { world.skews.append($0) }
      return (engine, clock)
    }
    (one, other) = (node(), node())
  }

  /// Answers all that was asked, as the script does.
  private func answer(_ engine: ManualRedis) {
    while !engine.requests.isEmpty {
      engine.answer { words in
        if words[3] != "", words[3] == world.shift { world.shift = words[4] }
        let (seconds, rest) = world.engine.components
        return .array(
          ["\(seconds)", "\(rest / 1_000_000_000_000)", world.shift].map { .bulk(Array($0.utf8)) })
      }
    }
  }

  private func look() {
    for node in [one, other] {
      node.clock.look {}
      answer(node.engine)
    }
  }

  private func seconds(_ clock: RedisClock) -> Double { clock.time.timeIntervalSince1970 }

  @Test func `the time is that of the engine, and goes on between two looks`() {
    world.wall += .seconds(3_600)
    #expect(seconds(one.clock) == 1_003_600)
    look()
    #expect(seconds(one.clock) == 1_000_000)
    world.pass(.seconds(7))
    #expect(seconds(one.clock) == 1_000_007)
  }

  @Test(arguments: [3_600, -3_600, 10 * 365 * 86_400, -10 * 365 * 86_400])
  func `a step of the engine's clock changes nothing at any node`(step: Int) {
    look()
    world.pass(.seconds(1))
    world.engine += .seconds(step)
    look()
    world.pass(.seconds(1))
    look()
    #expect(world.shift == "\(-1_000 * step)")
    #expect(world.steps == [.seconds(step)])
    #expect(seconds(one.clock) == 1_000_002)
    #expect(seconds(other.clock) == 1_000_002)
  }

  @Test func `a node that starts after a step has the time of the others`() {
    one.clock.look {}
    answer(one.engine)
    world.pass(.seconds(1))
    world.engine += .seconds(3_600)
    one.clock.look {}
    answer(one.engine)
    other.clock.look {}
    answer(other.engine)
    #expect(seconds(other.clock) == seconds(one.clock))
  }

  @Test func `two nodes that see a step at the same time make up for it once`() {
    look()
    world.engine += .seconds(60)
    one.clock.look {}
    other.clock.look {}
    answer(one.engine)
    answer(other.engine)
    #expect(world.shift == "-60000")
    #expect(seconds(one.clock) == 1_000_000 && seconds(other.clock) == 1_000_000)
  }

  @Test func `a change that was not answered is asked for again`() {
    look()
    world.engine += .seconds(60)
    one.clock.look {}
    let first = one.engine
    first.answer { _ in
      .array(["1000060", "0", "0"].map { .bulk(Array($0.utf8)) })
    }
    first.answer(nil)
    #expect(seconds(one.clock) == 1_000_000)
    one.clock.look {}
    answer(first)
    #expect(world.shift == "-60000")
    #expect(seconds(one.clock) == 1_000_000)
  }

  @Test func `the clock of a host that is wrong is told, and told again when it is right`() {
    world.wall += .seconds(5)
    look()
    #expect(world.skews.isEmpty)
    world.wall += .seconds(1)
    look()
    look()
    #expect(world.skews == [.seconds(6), .seconds(6)])
    #expect(one.clock.skew == .seconds(6))
    world.wall -= .seconds(6)
    look()
    #expect(world.skews.suffix(2) == [.zero, .zero])
  }

  @Test func `a step of a clock that is wrong before and after it is told`() {
    world.wall += .seconds(3_600)
    look()
    world.wall -= .seconds(7_200)
    look()
    look()
    world.wall += .seconds(5)
    look()
    #expect(
      world.skews == [
        .seconds(3_600), .seconds(3_600), .seconds(-3_600), .seconds(-3_600),
      ])
  }

  @Test func `without an answer nothing else is asked for`() {
    var isDone = false
    one.clock.look { isDone = true }
    one.engine.answer(nil)
    #expect(!isDone)
    one.clock.look { isDone = true }
    answer(one.engine)
    #expect(isDone)
  }
}
