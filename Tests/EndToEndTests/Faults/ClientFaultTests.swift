import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// The real client and the real server, over connections that break.
@Suite struct ClientFaultTests {
  private static let seed =
    UInt64(ProcessInfo.processInfo.environment["TICTACTOE_SEED"] ?? "") ?? 1
  private static let games = 3
  private static let maxConcurrent = 24
  /// How long no match may end. A match takes about 1 s.
  private static let timeout: Duration = .seconds(60)

  @Test func `both clients end with the server's match, in whatever line a connection is cut`()
    throws
  {
    // The clients' clocks run 20 times as fast, so 20 minutes are one minute for the server's
    // --resume-within. With --idle a client that vanished before the login does not block its name.
    let server = try RunningServer(["--resume-within", "20m", "--idle", "1s"])
    let port = try #require(UInt16(server.port))
    let loop = try EventLoop()
    var random = SeededGenerator(seed: Self.seed)
    let cuts = try cuts(in: whole(on: loop, port), using: &random)
    // Three games of two players have more lines than that.
    #expect(cuts.count > 50)
    var waiting = Array(cuts.enumerated().reversed())
    var playing: [FaultyClientMatch] = []
    var ending: [FaultyClientMatch] = []
    var cutsMade = (planned: 0, others: 0)
    var last = loop.now
    while !waiting.isEmpty || !playing.isEmpty || !ending.isEmpty {
      while playing.count < Self.maxConcurrent, let (number, cut) = waiting.popLast() {
        playing.append(
          try FaultyClientMatch(
            number, games: Self.games, cut: cut, loop: loop, server: port, seed: Self.seed))
      }
      try loop.turn(wait: .milliseconds(30))
      let done = playing.filter(\.isDone)
      for match in done {
        #expect(match.faults == [])
        let isAsPlanned = match.proxy.cuts.first == 0
        cutsMade.planned += isAsPlanned ? 1 : 0
        cutsMade.others += match.cuts - (isAsPlanned ? 1 : 0)
        match.end()
      }
      ending += done
      playing.removeAll { match in done.contains { $0 === match } }
      ending.removeAll(where: \.isOver)
      if !done.isEmpty { last = loop.now }
      guard loop.now - last < Self.timeout else {
        throw RunningProgram.TimeoutError(description: "\(playing.map(\.description))")
      }
    }
    // A match with fewer pings than the measured one may end before its planned cut.
    #expect(cutsMade.planned * 10 >= cuts.count * 9)
    #expect(cutsMade.others * 2 > cuts.count)
  }

  @Test func `a client that has missed more events than the server keeps shows the current board`()
    throws
  {
    // Without --per-second chat has no limit.
    let server = try RunningServer(["--per-second", "0"])
    let port = try #require(UInt16(server.port))
    let loop = try EventLoop()
    var isBroken = false
    let proxy = try FaultProxy(loop: loop, server: port, seed: Self.seed) { _ in
      var plan = FaultPlan()
      if isBroken { plan.cut = FaultPlan.Cut(.up, after: 0, .reset) }
      return plan
    }
    let ann = InProcessClient("ann", loop: loop, port: proxy.port)
    ann.launch()
    let bob = WireClient(loop: loop, port: port)
    var tracker: MatchTracker?
    var isAway = false
    var remarks = 0
    bob.onEvent = { [weak bob] event in
      if case .hello = event { bob?.send(.login(name: "bob", password: nil)) }
      guard case .match(let event) = event else { return }
      if (try? tracker?.take(event)) == nil { tracker = try? MatchTracker(event) }
      if case .presenceDidChange(_, online: false, _) = event.body { isAway = true }
      if case .didSay = event.body { remarks += 1 }
    }
    ann.type("start")
    try loop.turn(until: "ann waits") { ann.status.isWaiting }
    bob.send(.start(opponent: "ann", game: nil))
    ann.type("5")
    try loop.turn(until: "ann has moved") { tracker?.board.freeCells.count == 8 }
    isBroken = true
    proxy.reset()
    try loop.turn(until: "ann is away") { isAway }
    bob.send(.place(Cell(row: 0, column: 0), seq: nil))
    // More events than a match keeps.
    for number in 1...20 { bob.send(.say("\(number)")) }
    try loop.turn(until: "bob's remarks have arrived") { remarks == 20 }
    isBroken = false
    try loop.turn(until: "ann has a prompt") {
      ann.prompt?.text.hasPrefix("ann, put X on") ?? false
    }
    #expect(
      ann.picture == "\(BoardDrawing.text(of: try #require(tracker).board, in: .ticTacToe))\n")
  }

  /// A cut at a random byte of each line: in turn by a reset, an end and silence.
  private func cuts(
    in whole: (down: [UInt8], up: [UInt8]), using random: inout SeededGenerator
  ) -> [FaultPlan.Cut] {
    var cuts: [FaultPlan.Cut] = []
    for (direction, bytes) in [(FaultPlan.Direction.down, whole.down), (.up, whole.up)] {
      var start = 0
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let kinds = FaultPlan.Cut.Kind.allCases
        let kind = kinds[(cuts.count + Int(Self.seed)) % kinds.count]
        let place = start + Int.random(in: 0...line.count, using: &random)
        cuts.append(FaultPlan.Cut(direction, after: place, kind))
        start += line.count + 1
      }
    }
    return cuts
  }

  private func whole(on loop: EventLoop, _ port: UInt16) throws -> (down: [UInt8], up: [UInt8]) {
    let match = try FaultyClientMatch(
      1_000_000, games: Self.games, cut: nil, loop: loop, server: port, seed: Self.seed)
    try loop.turn(until: "a match without a cut ends") { match.isDone }
    #expect(match.faults == [])
    match.end()
    try loop.turn(until: "its connection ends") { !match.proxy.passed.down.isEmpty }
    return match.proxy.passed
  }
}
