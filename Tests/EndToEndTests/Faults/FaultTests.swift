import Foundation
import Shared
import TestSupport
import Testing

/// Two players who reconnect, and the real server, over connections that break. With
/// `TICTACTOE_ALL_CUTS` set, a connection is cut at every byte; otherwise at one byte in seven, and
/// the seed says at which.
@Suite struct FaultTests {
  private static let seed =
    UInt64(
      ProcessInfo.processInfo.environment["TICTACTOE_SEED"] ?? "") ?? 1
  private static let step =
    ProcessInfo.processInfo.environment["TICTACTOE_ALL_CUTS"] == nil ? 7 : 1
  /// How many matches run at a time. More of them would only wait for one another.
  private static let maxConcurrent = 24

  @Test(arguments: FaultPlan.Direction.allCases)
  func `both players end with the same match, at whatever byte a connection is cut`(
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
    var matches: [FaultyMatch] = []
    var ending: [FaultyMatch] = []
    var cutsWhileReconnecting = 0
    var lastEnd = loop.now
    while !waiting.isEmpty || !matches.isEmpty || !ending.isEmpty {
      while matches.count < Self.maxConcurrent, let (number, cut) = waiting.popLast() {
        matches.append(
          try FaultyMatch(number, games: 2, cut: cut, loop: loop, server: port, seed: Self.seed))
      }
      try loop.turn(wait: .milliseconds(30))
      let done = matches.filter(\.isDone)
      for match in done {
        #expect(match.faults == [])
        #expect(match.agrees)
        match.end()
      }
      matches.removeAll { match in done.contains { $0 === match } }
      ending += done
      for match in ending where match.isOver {
        #expect(match.proxy.cuts.first == 0, "the first connection was not cut as planned")
        cutsWhileReconnecting += match.proxy.cuts.count - 1
      }
      ending.removeAll(where: \.isOver)
      if !done.isEmpty { lastEnd = loop.now }
      guard loop.now - lastEnd < .seconds(60) else {
        throw RunningProgram.TimeoutError(description: "No match has ended for 60 s.")
      }
    }
    // A connection can end before the byte at which the second cut is planned.
    #expect(cutsWhileReconnecting * 3 > cuts.count)
  }

  /// The bytes of a match without a cut.
  private func whole(on loop: EventLoop, _ port: UInt16) throws -> (down: [UInt8], up: [UInt8]) {
    let match = try FaultyMatch(
      1_000_000, games: 2, cut: nil, loop: loop, server: port, seed: Self.seed)
    try loop.turn(until: "a match without a cut ends") { match.isDone }
    #expect(match.faults == [])
    match.end()
    try loop.turn(until: "its connection ends") { !match.proxy.passed.down.isEmpty }
    return match.proxy.passed
  }
}
