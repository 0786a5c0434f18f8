import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// The real client and the real server, with connections between them that break.
@Suite struct RealClientTests {
  private static let seed =
    UInt64(ProcessInfo.processInfo.environment["TICTACTOE_SEED"] ?? "") ?? 1
  private static let games = 3
  private static let width = 24
  /// A match takes a second; nothing takes that long.
  private static let patience: Duration = .seconds(60)

  @Test func `in whatever line a connection is cut, both end with the server's match`() throws {
    // Who comes back has all the time of the clients, which passes twenty times as fast; who is gone
    // without a word before the login does not block its name for long.
    let server = try RunningServer(["--resume-within", "20m", "--idle", "1s"])
    let port = try #require(UInt16(server.port))
    let loop = try EventLoop()
    var random = SeededGenerator(seed: Self.seed)
    let cuts = try cuts(in: whole(on: loop, port), using: &random)
    // Three games of two people.
    #expect(cuts.count > 50)
    var waiting = Array(cuts.enumerated().reversed())
    var playing: [RealDuel] = []
    var ending: [RealDuel] = []
    var cutsMade = (planned: 0, others: 0)
    var last = loop.now
    while !waiting.isEmpty || !playing.isEmpty || !ending.isEmpty {
      while playing.count < Self.width, let (number, cut) = waiting.popLast() {
        playing.append(
          try RealDuel(
            number, games: Self.games, cut: cut, loop: loop, server: port, seed: Self.seed))
      }
      try loop.turn(wait: .milliseconds(30))
      let done = playing.filter(\.isDone)
      for duel in done {
        #expect(duel.faults == [])
        let isAsPlanned = duel.proxy.cuts.first == 0
        cutsMade.planned += isAsPlanned ? 1 : 0
        cutsMade.others += duel.cuts - (isAsPlanned ? 1 : 0)
        duel.end()
      }
      ending += done
      playing.removeAll { duel in done.contains { $0 === duel } }
      ending.removeAll(where: \.isOver)
      if !done.isEmpty { last = loop.now }
      guard loop.now - last < Self.patience else {
        throw RunningProgram.Silent(description: "\(playing.map(\.description))")
      }
    }
    // Each where it was planned, but that a match of fewer pings may end before; and others while
    // somebody came back.
    #expect(cutsMade.planned * 10 >= cuts.count * 9)
    #expect(cutsMade.others * 2 > cuts.count)
  }

  @Test func `who has missed more than is kept is shown the board as it stands`() throws {
    // Chat has no limit then.
    let server = try RunningServer(["--per-second", "0"])
    let port = try #require(UInt16(server.port))
    let loop = try EventLoop()
    var isBroken = false
    let proxy = try FaultProxy(loop: loop, server: port, seed: Self.seed) { _ in
      var plan = FaultPlan()
      if isBroken { plan.cut = FaultPlan.Cut(.up, after: 0, .reset) }
      return plan
    }
    let ann = Program("ann", loop: loop, port: proxy.port)
    ann.launch()
    let bob = WireClient(loop: loop, port: port)
    var followed: FollowedMatch?
    var isAway = false
    var remarks = 0
    bob.onEvent = { [weak bob] event in
      if case .hello = event { bob?.send(.login(name: "bob", password: nil)) }
      guard case .match(let event) = event else { return }
      if (try? followed?.take(event)) == nil { followed = try? FollowedMatch(event) }
      if case .presenceDidChange(_, online: false, _) = event.body { isAway = true }
      if case .didSay = event.body { remarks += 1 }
    }
    ann.type("start")
    try loop.turn(until: "ann waits") { ann.status.isWaiting }
    bob.send(.start(opponent: "ann", game: nil))
    ann.type("5")
    try loop.turn(until: "ann has moved") { followed?.board.freeCells.count == 8 }
    isBroken = true
    proxy.reset()
    try loop.turn(until: "ann is away") { isAway }
    bob.send(.place(Cell(row: 0, column: 0), seq: nil))
    // More than a match keeps.
    for number in 1...20 { bob.send(.say("\(number)")) }
    try loop.turn(until: "bob has said it all") { remarks == 20 }
    isBroken = false
    try loop.turn(until: "ann is asked") { ann.prompt?.text.hasPrefix("ann, put X on") ?? false }
    #expect(ann.picture == "\(BoardDrawing.text(of: try #require(followed).board))\n")
  }

  /// A cut somewhere in each line of a match that nobody cuts, in turn by a reset, an end and silence.
  private func cuts(
    in whole: (down: [UInt8], up: [UInt8]), using random: inout SeededGenerator
  ) -> [FaultPlan.Cut] {
    var cuts: [FaultPlan.Cut] = []
    for (direction, bytes) in [(FaultPlan.Direction.down, whole.down), (.up, whole.up)] {
      var start = 0
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let ways = FaultPlan.Cut.Way.allCases
        let way = ways[(cuts.count + Int(Self.seed)) % ways.count]
        let place = start + Int.random(in: 0...line.count, using: &random)
        cuts.append(FaultPlan.Cut(direction, after: place, way))
        start += line.count + 1
      }
    }
    return cuts
  }

  private func whole(on loop: EventLoop, _ port: UInt16) throws -> (down: [UInt8], up: [UInt8]) {
    let duel = try RealDuel(
      1_000_000, games: Self.games, cut: nil, loop: loop, server: port, seed: Self.seed)
    try loop.turn(until: "a match ends that nobody cuts") { duel.isDone }
    #expect(duel.faults == [])
    duel.end()
    try loop.turn(until: "its connection does") { !duel.proxy.passed.down.isEmpty }
    return duel.proxy.passed
  }
}
