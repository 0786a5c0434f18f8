import Foundation
import Shared
import TestSupport
import Testing

/// Two people who come back and the real server, with connections between them that break. With
/// `TICTACTOE_ALL_CUTS` set every byte is tried, else one in seven, others in each run of a seed.
@Suite struct FaultTests {
  private static let seed =
    UInt64(
      ProcessInfo.processInfo.environment["TICTACTOE_SEED"] ?? "") ?? 1
  private static let step =
    ProcessInfo.processInfo.environment["TICTACTOE_ALL_CUTS"] == nil ? 7 : 1
  /// More matches at a time only wait for one another.
  private static let width = 24

  @Test(arguments: FaultPlan.Direction.allCases)
  func `at whatever byte a connection is cut, both end with the same match`(
    direction: FaultPlan.Direction
  ) throws {
    let server = try RunningServer()
    let port = try #require(UInt16(server.port))
    let loop = try EventLoop()
    let whole = try self.whole(on: loop, port)
    let bytes = (direction == .down ? whole.down : whole.up).count
    let cuts = stride(from: Int(Self.seed) % Self.step, to: bytes, by: Self.step).map {
      let isReset = ($0 / Self.step).isMultiple(of: 2)
      return FaultPlan.Cut(direction, after: $0, isReset ? .reset : .end)
    }
    var waiting = cuts.enumerated().reversed().map(\.self)
    var duels: [Duel] = []
    var ending: [Duel] = []
    var cutsOnTheWayBack = 0
    var idle = 0
    while !waiting.isEmpty || !duels.isEmpty || !ending.isEmpty {
      while duels.count < Self.width, let (number, cut) = waiting.popLast() {
        duels.append(
          try Duel(number, games: 2, cut: cut, loop: loop, server: port, seed: Self.seed))
      }
      try loop.turn(wait: .milliseconds(30))
      let done = duels.filter(\.isDone)
      for duel in done {
        #expect(duel.faults == [])
        #expect(duel.agrees)
        duel.end()
      }
      duels.removeAll { duel in done.contains { $0 === duel } }
      ending += done
      for duel in ending where duel.isOver {
        #expect(duel.proxy.cuts.first == 0, "the first connection was not cut as planned")
        cutsOnTheWayBack += duel.proxy.cuts.count - 1
      }
      ending.removeAll(where: \.isOver)
      idle = done.isEmpty ? idle + 1 : 0
      // Who is kept out asks some hundred times a second.
      guard idle < 20_000 else { throw RunningProgram.Silent(description: "Matches stand still.") }
    }
    // What follows the first cut can be shorter than what the second one waits for.
    #expect(cutsOnTheWayBack * 3 > cuts.count)
  }

  /// How many bytes a match takes that nobody cuts.
  private func whole(on loop: EventLoop, _ port: UInt16) throws -> (down: [UInt8], up: [UInt8]) {
    let duel = try Duel(1_000_000, games: 2, cut: nil, loop: loop, server: port, seed: Self.seed)
    try loop.turn(until: "a match ends that nobody cuts") { duel.isDone }
    #expect(duel.faults == [])
    duel.end()
    try loop.turn(until: "its connection does") { !duel.proxy.passed.down.isEmpty }
    return duel.proxy.passed
  }
}
