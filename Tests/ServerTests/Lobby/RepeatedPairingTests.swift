import Shared
import TestSupport
import Testing

@testable import Server

/// Pairing by chance of recent partners, and of players who leave early.
@Suite struct RepeatedPairingTests {
  private let server = TestServer(games: [.ticTacToe, .other])
  private let ann: LineClient
  private let bob: LineClient
  private let cid: LineClient
  private let hal: LineClient

  init() {
    ann = server.client(as: "ann")
    bob = server.client(as: "bob")
    cid = server.client(as: "cid")
    hal = server.client(as: "hal")
  }

  /// Lets a player leave matches before the first move, `times` times.
  private func leaveEarly(_ client: LineClient, _ times: Int) {
    let zoe = server.client(as: "zoe")
    for _ in 0..<times {
      zoe.say("start hal")
      client.say("start zoe")
      client.say("leave")
    }
    zoe.say("quit")
    _ = client.takeLines()
  }

  /// Plays a match by chance that is left after a move.
  private func play(_ x: LineClient, _ o: LineClient) throws {
    #expect(try x.askTypes("start") == ["didQueue"])
    #expect(try o.askTypes("start") == ["gameDidStart"])
    x.say("place 0 0")
    x.say("leave")
    _ = (x.takeLines(), o.takeLines())
  }

  @Test func `recent partners are paired again at once if nobody else waits`() throws {
    for _ in 0..<3 { try play(ann, bob) }
    // So is the first early leave of one of them.
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try bob.askTypes("start") == ["gameDidStart"])
    bob.say("leave")
    _ = ann.takeLines()
    #expect(try bob.askTypes("start") == ["didQueue"])
    #expect(try ann.askTypes("start") == ["gameDidStart"])
  }

  @Test func `recent partners are not paired again while a third player waits`() throws {
    leaveEarly(hal, 80)
    try play(ann, bob)
    #expect(try hal.askTypes("start") == ["didQueue"])
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try bob.askTypes("start") == ["didQueue"])
    // A new player gets the one who has waited longest.
    let lines = try cid.ask("start")
    #expect(lines.first?["players"] == ["X": "ann", "O": "cid"])
    cid.say("leave")
    _ = ann.takeLines()
    #expect(try cid.ask("start").first?["players"] == ["X": "bob", "O": "cid"])
    #expect(try bob.hearTypes() == ["gameDidStart"])
  }

  @Test func `after a minute recent partners are paired, even if nobody else waits`() throws {
    leaveEarly(hal, 80)
    try play(ann, bob)
    server.clock.advance(by: .seconds(1))
    hal.say("start")
    bob.say("start")
    ann.say("start")
    for client in [ann, bob, hal] { _ = client.takeLines() }
    server.clock.advance(by: .milliseconds(58_999))
    server.network.run()
    #expect(try ann.hear() + bob.hear() + hal.hear() == [])
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    let lines = try bob.hear()
    #expect(kinds(lines) == ["gameDidStart"])
    #expect(lines.first?["you"] == "X")
    #expect(lines.first?["re"] == nil)
    #expect(try ann.hear().first?["you"] == "O")
    #expect(try hal.hear() == [])
    #expect(server.clock.next != nil)
  }

  @Test(arguments: ["cancel", "quit"])
  func `recent partners are paired at once when the third player leaves`(line: String) throws {
    leaveEarly(hal, 80)
    try play(ann, bob)
    for client in [hal, bob, ann] { #expect(try client.askTypes("start") == ["didQueue"]) }
    hal.say(line)
    #expect(try bob.hear().first?["players"] == ["X": "bob", "O": "ann"])
    #expect(try ann.hearTypes() == ["gameDidStart"])
  }

  @Test func `a player who waits for another game is not a third player`() throws {
    leaveEarly(hal, 80)
    try play(ann, bob)
    #expect(try hal.askTypes(#"start "" four"#) == ["didQueue"])
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try bob.askTypes("start") == ["gameDidStart"])
  }

  @Test func `recent partners can be paired by name`() throws {
    leaveEarly(hal, 80)
    try play(ann, bob)
    for client in [hal, ann] { #expect(try client.askTypes("start") == ["didQueue"]) }
    #expect(try bob.askTypes("start ann") == ["gameDidStart"])
  }

  @Test func `pairs by name do not make recent partners`() throws {
    leaveEarly(hal, 80)
    ann.say("start bob")
    bob.say("start")
    ann.say("place 0 0")
    ann.say("leave")
    for client in [ann, bob] { _ = client.takeLines() }
    for client in [hal, ann] { #expect(try client.askTypes("start") == ["didQueue"]) }
    #expect(try bob.askTypes("start") == ["gameDidStart"])
  }

  @Test func `a player who repeatedly leaves early waits longer each time`() throws {
    for (times, seconds) in [(2, 1), (1, 2), (1, 3)] {
      leaveEarly(hal, times)
      #expect(try hal.askTypes("start") == ["didQueue"])
      #expect(try ann.askTypes("start") == ["didQueue"])
      server.clock.advance(by: .milliseconds(seconds * 1_000 - 1))
      server.network.run()
      #expect(try hal.hear() + ann.hear() == [])
      server.clock.advance(by: .milliseconds(1))
      server.network.run()
      #expect(try hal.hear().first?["players"] == ["X": "hal", "O": "ann"])
      hal.say("place 0 0")
      hal.say("leave")
      _ = (hal.takeLines(), ann.takeLines())
    }
  }

  @Test func `other players are paired before a held-back player`() throws {
    leaveEarly(hal, 3)
    #expect(try hal.askTypes("start") == ["didQueue"])
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try bob.ask("start").first?["players"] == ["X": "ann", "O": "bob"])
    #expect(try cid.askTypes("start") == ["didQueue"])
    server.clock.advance(by: .seconds(2))
    server.network.run()
    // After its time the longest wait comes first again.
    #expect(try cid.hear().first?["players"] == ["X": "hal", "O": "cid"])
  }

  @Test func `a player who is held back is not paired with waiting players`() throws {
    leaveEarly(hal, 2)
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try hal.askTypes("start") == ["didQueue"])
    #expect(try ann.hear() == [])
    server.clock.advance(by: .seconds(1))
    server.network.run()
    #expect(try ann.hear().first?["players"] == ["X": "ann", "O": "hal"])
  }

  @Test func `a held-back request is accepted by name at once, otherwise after its time`()
    throws
  {
    leaveEarly(hal, 2)
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try hal.askTypes("start ann") == ["didQueue"])
    #expect(try ann.hearTypes() == ["invited"])
    server.clock.advance(by: .seconds(1))
    server.network.run()
    #expect(try ann.hear().first?["players"] == ["X": "ann", "O": "hal"])
    ann.say("leave")
    _ = (ann.takeLines(), hal.takeLines())
    #expect(try hal.askTypes("start ann") == ["didQueue"])
    #expect(try ann.askTypes("start") == ["invited", "didQueue"])
    #expect(try ann.askTypes("cancel") == ["didCancel"])
    #expect(try ann.askTypes("start hal") == ["gameDidStart"])
  }

  @Test func `a player who names a held-back player is paired at once`() throws {
    leaveEarly(hal, 9)
    #expect(try hal.askTypes("start") == ["didQueue"])
    #expect(try ann.askTypes("start hal") == ["gameDidStart"])
    ann.say("leave")
    _ = hal.takeLines()
    #expect(try ann.askTypes("start hal") == ["didQueue"])
    #expect(try hal.askTypes("start") == ["invited", "gameDidStart"])
  }

  @Test func `a new request restarts the time, and a player who leaves keeps no timer`()
    throws
  {
    leaveEarly(hal, 2)
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try hal.askTypes("start") == ["didQueue"])
    server.clock.advance(by: .milliseconds(999))
    #expect(try hal.askTypes("cancel") == ["didCancel"])
    #expect(try hal.askTypes("start ann") == ["didQueue"])
    server.clock.advance(by: .milliseconds(999))
    server.network.run()
    #expect(try ann.hearTypes() == ["invited"])
    ann.say("quit")
    #expect(try hal.hearTypes() == ["didCancel"])
    server.clock.advance(by: .seconds(10))
    server.network.run()
    #expect(try hal.hear() == [])
    #expect(try hal.askTypes("cancel") == ["notWaiting"])
  }

  @Test func `leaving the bot, after a move, or in a second game is not early`() throws {
    for _ in 0..<5 {
      hal.say("start bot")
      hal.say("leave")
      hal.say("start ann")
      ann.say("start hal")
      hal.say("place 0 0")
      hal.say("leave")
      hal.say("start ann")
      ann.say("start hal")
      ann.say("resign")
      ann.say("start")
      hal.say("start")
      hal.say("leave")
    }
    _ = (hal.takeLines(), ann.takeLines())
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try hal.askTypes("start") == ["gameDidStart"])
  }

  @Test func `the opponent of an early leaver is not held back`() throws {
    for _ in 0..<5 {
      #expect(try bob.askTypes("start ann") == ["didQueue"])
      #expect(try ann.askTypes("start bob").last == "gameDidStart")
      bob.say("leave")
      _ = ann.takeLines()
    }
    #expect(try cid.askTypes("start") == ["didQueue"])
    #expect(try ann.askTypes("start") == ["gameDidStart"])
  }

  @Test func `without room nobody is paired by a timer, until the next check finds room`() throws {
    let server = TestServer(settings: ServerSettings(maxMatches: 1))
    let (ann, hal, cid) = (
      server.client(as: "ann"), server.client(as: "hal"), server.client(as: "cid")
    )
    for _ in 0..<2 {
      ann.say("start hal")
      hal.say("start ann")
      hal.say("leave")
    }
    ann.say("start")
    hal.say("start")
    _ = (ann.takeLines(), hal.takeLines())
    #expect(try cid.askTypes("start bot") == ["gameDidStart"])
    server.clock.advance(by: .milliseconds(5_999))
    server.network.run()
    #expect(try ann.hear() + hal.hear() == [])
    cid.say("leave")
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    #expect(try ann.hear().first?["players"] == ["X": "ann", "O": "hal"])
  }

  @Test func `a draining server pairs nobody by a timer, and keeps no timer`() throws {
    leaveEarly(hal, 2)
    let (x, _) = server.match("x", "o")
    ann.say("start")
    hal.say("start")
    _ = (ann.takeLines(), hal.takeLines())
    server.control.drain(within: nil) {}
    server.clock.advance(by: .seconds(20))
    server.network.run()
    #expect(try ann.hearTypes() + hal.hearTypes() == ["announcement", "announcement"])
    x.say("leave")
    ann.say("quit")
    hal.say("quit")
    // The leak detector has a timer too.
    server.clock.advance(by: .seconds(2))
    #expect(server.clock.next == nil)
  }
}
