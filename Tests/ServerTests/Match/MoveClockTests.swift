import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct MoveClockTests {
  private let server = TestServer(settings: ServerSettings(turn: .seconds(20)))

  @Test func `the time for a move is in the beginning of a game and in each change`() throws {
    let (x, o) = (server.client(as: "ann"), server.client(as: "bob"))
    x.say("start")
    #expect(try o.ask("start").last?["left"] == 20_000)
    server.clock.advance(by: .seconds(5))
    #expect(try x.ask("place 0 0").last?["left"] == 20_000)
    server.clock.advance(by: .milliseconds(7_250))
    #expect(try x.ask("sync").last?["left"] == 12_750)
    // An event that is sent again has its original time.
    #expect(try x.ask("sync 0").map { $0["left"] } == [20_000, 20_000])
    server.playFirstRow(x, o)
  }

  @Test func `a player whose time is over loses the game, and the match continues`() throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    _ = o.takeLines()
    server.clock.advance(by: .milliseconds(19_999))
    server.network.run()
    #expect(try o.hear() == [])
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    let lines = try o.hear()
    #expect(kinds(lines) == ["gameDidEnd"])
    #expect(lines.first?["reason"] == "timeout")
    #expect(lines.first?["winner"] == "X")
    server.clock.advance(by: .seconds(30))
    server.network.run()
    #expect(try x.hearTypes() == ["gameDidEnd"])
    #expect(server.clock.next == nil)
    x.say("start")
    #expect(try o.askTypes("start") == ["invited", "gameDidStart"])
  }

  @Test func `each move has its own time`() throws {
    let (x, o) = server.match()
    for (index, cell) in ["0 0", "1 1", "0 1", "1 0", "2 2"].enumerated() {
      server.clock.advance(by: .seconds(19))
      server.network.run()
      #expect(try (index.isMultiple(of: 2) ? x : o).askTypes("place \(cell)").last != "noGame")
    }
    server.clock.advance(by: .seconds(20))
    server.network.run()
    #expect(try x.hear().last?["winner"] == "X")
  }

  @Test func `a refused move does not extend the time`() throws {
    let (x, _) = server.match()
    server.clock.advance(by: .seconds(19))
    x.say("place 9 9")
    server.clock.advance(by: .seconds(1))
    server.network.run()
    #expect(try x.hear().last?["reason"] == "timeout")
  }

  @Test func `the time keeps running while a connection is lost`() throws {
    let (x, o) = try server.players()
    x.cut()
    server.clock.advance(by: .seconds(15))
    let snapshot = try x.resume().last
    #expect(snapshot?["left"] == 5_000)
    x.cut()
    server.clock.advance(by: .seconds(5))
    server.network.run()
    let lines = try o.hear()
    #expect(lines.last?["reason"] == "timeout")
    #expect(kinds(try x.resume(after: 3)) == Self.timedOut)
  }

  @Test func `a game against the bot is not timed`() throws {
    let ann = server.client(as: "ann")
    #expect(try ann.ask("start bot").last?["left"] == nil)
    #expect(try ann.ask("place 1 1").allSatisfy { $0["left"] == nil })
    #expect(try ann.ask("sync").last?["left"] == nil)
    server.clock.advance(by: .seconds(3_600))
    server.network.run()
    #expect(try ann.hear() == [])
    ann.say("resign")
    #expect(try ann.ask("start").allSatisfy { $0["left"] == nil })
  }

  @Test func `the time for a move is announced`() throws {
    let client = LineClient(server.connect(), on: server.network)
    server.network.run()
    #expect(try client.hear().first?["limits"]?["turn"] == 20_000)
  }

  @Test func `between games no time runs, and after the match no timer does`() throws {
    let (x, o) = server.match()
    x.say("resign")
    #expect(try o.ask("sync").last?["left"] == nil)
    server.clock.advance(by: .seconds(60))
    server.network.run()
    #expect(try o.hear() == [])
    #expect(server.clock.next == nil)
    x.say("start")
    o.say("start")
    x.say("quit")
    o.say("quit")
    try server.expectNothingLeft()
  }

  @Test func `a shutdown stops the clock`() throws {
    _ = server.match()
    server.control.shutDown()
    server.network.run()
    try server.expectNothingLeft()
  }

  @Test func `without a clock no time is sent`() throws {
    let server = TestServer()
    let (x, o) = server.match()
    #expect(try x.ask("place 0 0").last?["left"] == nil)
    #expect(try o.ask("sync 0").allSatisfy { $0["left"] == nil })
    #expect(server.clock.next == nil)
  }

  private static let timedOut = [
    "didLogin", "presenceDidChange", "gameDidEnd", "presenceDidChange",
  ]
}
