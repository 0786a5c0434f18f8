import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct EventStreamTests {
  private let server = TestServer()

  @Test func `both players get the same events, numbered without a gap over all games`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    var heard = (ann: try ann.ask("start"), bob: try bob.ask("start"))
    func hear() throws {
      heard.ann += try ann.hear()
      heard.bob += try bob.hear()
    }
    var (x, o) = (ann, bob)
    for _ in 0..<5 {
      server.playFirstRow(x, o)
      x.sendOnly(#"{"type":"start","id":7}"#)
      server.network.run()
      o.sendOnly(#"{"type":"start","id":"seven"}"#)
      server.network.run()
      (x, o) = (o, x)
      try hear()
    }
    x.sendOnly("resign")
    server.network.run()
    o.sendOnly("leave")
    server.network.run()
    try hear()
    let events = (ann: matchEvents(heard.ann), bob: matchEvents(heard.bob))
    #expect(events.ann.map { $0["seq"] } == (1...events.ann.count).map { .number($0) })
    #expect(
      events.ann.map { $0.without("you", "re") } == events.bob.map { $0.without("you", "re") })
    // Six beginnings, five games of five moves and an end, one resignation, the end of the match.
    #expect(events.ann.count == 6 + 5 * 6 + 1 + 1)
    for (annEvent, bobEvent) in zip(events.ann, events.bob) {
      let isStart = annEvent["type"] == "gameDidStart"
      #expect((annEvent["you"] != nil) == isStart)
      #expect((annEvent["you"] != bobEvent["you"]) == isStart)
    }
  }

  @Test func `the copies of a line differ only in you and re`() throws {
    let (ann, bob) = server.match()
    let own = try #require(ann.say(#"{"type":"place","row":1,"col":2,"id":5}"#).first)
    let other = try #require(bob.takeLines().first)
    #expect(own.hasPrefix(#"{"type":"boardDidChange","re":5,"match":""#))
    #expect(own.replacing(#","re":5"#, with: "") == other)
  }

  @Test func `a board made of the diffs has their hashes`() throws {
    let (x, o) = server.match()
    server.playFirstRow(x, o)
    var boards = (x: Board(.ticTacToe), o: Board(.ticTacToe))
    for line in try x.hear() { try boards.x.apply(line) }
    for line in try o.hear() { try boards.o.apply(line) }
    #expect(boards.x.rows == ["XXX", "OO.", "..."])
    #expect(boards.o == boards.x)
  }

  @Test func `two matches have their own numbers and events`() throws {
    let (ann, bob) = server.match()
    let (cid, dan) = server.match("cid", "dan")
    let first = try ann.ask("place 0 0")
    let second = try cid.ask("place 2 2")
    #expect(first.first?["seq"] == 2)
    #expect(second.first?["seq"] == 2)
    #expect(first.first?["match"] != second.first?["match"])
    #expect(try dan.hear() == second)
    #expect(try bob.hear() == first)
  }

  @Test(arguments: [
    ("place 0 0", "notYourTurn"), ("place 9 9", "notYourTurn"), ("place -1 0", "notYourTurn"),
  ])
  func `a move out of turn is refused first`(line: String, code: String) throws {
    let (x, o) = server.match()
    #expect(try o.askTypes(line) == [code])
    #expect(try x.hear() == [])
  }

  @Test(arguments: [
    ("place 0 3", "outOfBoard"), ("place 3 0", "outOfBoard"), ("place -1 0", "outOfBoard"),
    ("place 0 -1", "outOfBoard"), ("place 9007199254740991 0", "outOfBoard"),
    ("place -9007199254740991 -9007199254740991", "outOfBoard"),
    ("place 9007199254740992 0", "badField"), ("place 1 1", "cellTaken"),
    ("place 0.0 1", "badField"),
  ])
  func `a refused move changes nothing and is not sent to the opponent`(
    line: String, code: String
  ) throws {
    let (x, o) = server.match()
    x.say("place 1 1")
    o.say("place 0 0")
    _ = (x.takeLines(), o.takeLines())
    #expect(try x.askTypes(line) == [code])
    #expect(try o.hear() == [])
    #expect(try x.ask("place 2 2").first?["seq"] == 4)
  }

  private func matchEvents(_ lines: [JSON]) -> [JSON] { lines.filter { $0["seq"] != nil } }
}
