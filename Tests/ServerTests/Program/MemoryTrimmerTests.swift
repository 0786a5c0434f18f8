import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct MemoryTrimmerTests {
  private final class World {
    let clock = ManualTimers()
    var load = 0
    var trims: [Duration] = []
    private(set) lazy var trimmer = MemoryTrimmer(
      timers: clock, load: { [unowned self] in load },
      trim: { [unowned self] in trims.append(clock.now) })

    func close(_ count: Int) {
      for _ in 0..<count {
        load -= 1
        trimmer.connectionDidClose()
      }
    }
  }

  private let world = World()

  @Test func `memory is returned once, ten seconds after many clients have left`() {
    world.load = 1_000
    world.close(600)
    world.clock.advance(by: .seconds(10_000))
    #expect(world.trims == [.seconds(10)])
    #expect(world.clock.next == nil)
  }

  @Test func `memory is kept if the clients stay, or were few`() {
    world.load = 1_000
    world.close(400)
    world.clock.advance(by: .seconds(10_000))
    world.load = MemoryTrimmer.minPeak - 1
    let other = World()
    other.load = MemoryTrimmer.minPeak - 1
    other.close(MemoryTrimmer.minPeak - 1)
    #expect(other.clock.next == nil)
    #expect(world.trims.isEmpty)
  }

  @Test func `matches that end later than their connections count too`() {
    world.load = 1_000
    world.close(1)
    world.clock.advance(by: .seconds(60))
    world.load = 300
    world.clock.advance(by: .seconds(15))
    world.load = 0
    world.clock.advance(by: .seconds(10_000))
    #expect(world.trims == [.seconds(70), .seconds(80)])
    #expect(world.clock.next == nil)
  }

  @Test func `a server whose load keeps dropping returns memory again, then stops checking`() {
    world.load = 1_000
    for _ in 0..<10 {
      world.close(world.load * 2 / 3)
      world.clock.advance(by: .seconds(1_000))
    }
    #expect(world.trims.count == 3)
    #expect(world.clock.next == nil)
  }

  @Test func `checks continue while connections open and close, and stop on an idle server`() {
    world.load = 1_000
    for _ in 0..<100 {
      world.close(1)
      world.load += 1
      world.clock.advance(by: .seconds(10))
    }
    #expect(world.clock.next != nil)
    world.clock.advance(by: .seconds(630))
    #expect(world.clock.next == nil)
    #expect(world.trims.isEmpty)
  }
}
