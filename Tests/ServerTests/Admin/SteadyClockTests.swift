import Foundation
import Shared
import Testing

@testable import Server

@Suite struct SteadyClockTests {
  private final class World {
    var boot: Duration = .seconds(100)
    var wall = Date(timeIntervalSince1970: 1_000_000)
  }

  private let world = World()
  private let clock: SteadyClock

  init() {
    let world = world
    clock = SteadyClock(now: { world.boot }, wall: { world.wall })
  }

  private func pass(_ seconds: Int) {
    world.boot += .seconds(seconds)
    world.wall += TimeInterval(seconds)
  }

  @Test func `without a step it is the time of day`() {
    pass(60)
    #expect(clock.takeStep() == nil)
    #expect(clock.time == world.wall)
    // The system brings its clock nearer to the right time.
    world.wall += 0.5
    #expect(clock.takeStep() == nil)
    #expect(clock.time == world.wall)
  }

  @Test(arguments: [3_600, -3_600, 10 * 365 * 86_400, -10 * 365 * 86_400])
  func `a step leaves as much of a term as before, also in what is kept`(step: Int) throws {
    let moderation = Moderation(now: { [clock] in clock.time })
    let name = try PlayerName("eve")
    moderation.ban(.name(name), moderation.term(of: .seconds(600)))
    moderation.mute(name, moderation.term(of: .seconds(600)))
    pass(60)
    world.wall += TimeInterval(step)
    // Before it is noticed, the term is as long as it was.
    #expect(moderation.ban(of: name).flatMap(moderation.timeLeft) == .seconds(540))
    let found = try #require(clock.takeStep())
    #expect(found == .seconds(step))
    moderation.clockDidStep(by: found)
    #expect(clock.takeStep() == nil)
    let ban = try #require(moderation.ban(of: name))
    #expect(moderation.timeLeft(of: ban) == .seconds(540))
    #expect(moderation.mute(of: name) == ban)
    // The next process judges by the time of day.
    let next = Moderation(moderation.record, now: { world.wall })
    #expect(next.ban(of: name).flatMap(next.timeLeft) == .seconds(540))
    pass(540)
    #expect(moderation.ban(of: name) == nil)
  }

  @Test func `a clock that was set back between two processes does not lengthen a term`() throws {
    let moderation = Moderation(now: { [clock] in clock.time })
    let name = try PlayerName("eve")
    moderation.ban(.name(name), moderation.term(of: .seconds(600)))
    let data = try JSONEncoder().encode(moderation.record)
    let record = try JSONDecoder().decode(OperatorRecord.self, from: data)
    #expect(record == moderation.record)
    world.wall -= 10 * 365 * 86_400
    let next = Moderation(record, now: { world.wall })
    #expect(next.ban(of: name).flatMap(next.timeLeft) == .seconds(600))
  }

  @Test func `a step changes nothing of what holds for ever`() throws {
    let moderation = Moderation(now: { [clock] in clock.time })
    let name = try PlayerName("eve")
    moderation.ban(.name(name), moderation.term(of: nil))
    moderation.motd = "Hello!"
    moderation.clockDidStep(by: .seconds(3_600))
    #expect(moderation.ban(of: name) == Term(end: nil))
    #expect(moderation.motd == "Hello!")
  }
}
